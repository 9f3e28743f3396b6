#include "scratchpage/tests/bench/http_load.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <deque>
#include <string_view>
#include <system_error>
#include <utility>

#include "scratchpage/tests/bench/stopwatch.hpp"

namespace scratchpage::bench {

namespace {

using clock = std::chrono::steady_clock;

[[noreturn]] void give_up(const char* what) {
  throw std::system_error{errno, std::generic_category(), what};
}

int connect_to(uint16_t port, int receive_buffer = 0) {
  auto fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0)
    give_up("socket");
  if (receive_buffer > 0) // before the receive window is sent
    ::setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
  int yes = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
    give_up("connect");
  return fd;
}

void send_all(int fd, std::string_view text) {
  while (!text.empty()) {
    auto sent = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0)
      give_up("send");
    text.remove_prefix(static_cast<size_t>(sent));
  }
}

/// The length of an answer, head and body; 0 if its head is not complete yet.
size_t length_of_answer(std::string_view text) {
  constexpr std::string_view name = "\r\ncontent-length: ";
  auto head = text.find("\r\n\r\n");
  if (head == std::string_view::npos)
    return 0;
  auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; };
  auto end = text.begin() + static_cast<std::ptrdiff_t>(head);
  auto found = std::search(text.begin(), end, name.begin(), name.end(), same);
  auto body = found == end ? 0 : std::strtoul(&*found + name.size(), nullptr, 10);
  return head + 4 + body;
}

/// All clients, driven by one thread.
class clients {
public:
  clients(uint16_t port, const http_load& how)
    : how_{how},
      poll_{::epoll_create1(EPOLL_CLOEXEC)},
      timer_{::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)} {
    for (size_t i = 0; i < how.connections; ++i) {
      all_.push_back({connect_to(port), {}, {}});
      follow(all_.back().fd, i);
      idle_.push_back(i);
    }
    follow(timer_, all_.size());
  }

  ~clients() {
    for (const auto& x : all_)
      ::close(x.fd);
    ::close(timer_);
    ::close(poll_);
  }
  clients(const clients&) = delete;
  clients& operator=(const clients&) = delete;

  load_figures run() {
    begun_ = clock::now();
    const auto end = begun_ + how_.lasts;
    std::array<epoll_event, 64> ready{};
    for (send_due(); clock::now() < end; send_due()) {
      auto count = ::epoll_wait(poll_, ready.data(), static_cast<int>(ready.size()), 100);
      for (int i = 0; i < count; ++i)
        if (ready[static_cast<size_t>(i)].data.u64 < all_.size())
          receive(ready[static_cast<size_t>(i)].data.u64);
        else
          clear_timer();
    }
    load_figures result;
    result.per_second = static_cast<double>(took_ms_.size())
                        / std::chrono::duration<double>(clock::now() - begun_).count();
    result.p50_ms = took_ms_.empty() ? 0 : quantile(took_ms_, 0.5);
    result.p99_ms = took_ms_.empty() ? 0 : quantile(took_ms_, 0.99);
    result.refused = refused_;
    return result;
  }

private:
  struct client {
    int fd;
    std::string answer;
    clock::time_point due;
  };

  void follow(int fd, size_t number) {
    epoll_event x{};
    x.events = EPOLLIN;
    x.data.u64 = number;
    if (::epoll_ctl(poll_, EPOLL_CTL_ADD, fd, &x) != 0)
      give_up("epoll_ctl");
  }

  void send_due() {
    for (; !idle_.empty(); idle_.pop_front()) {
      auto now = clock::now();
      auto due = how_.per_second > 0 ? due_at(sent_) : now;
      if (due > now)
        return set_timer(due - now);
      auto& x = all_[idle_.front()];
      x.due = due;
      ++sent_;
      send_all(x.fd, next_request());
    }
  }

  clock::time_point due_at(size_t number) const {
    std::chrono::duration<double> after{static_cast<double>(number) / how_.per_second};
    return begun_ + std::chrono::duration_cast<clock::duration>(after);
  }

  std::string next_request() const {
    auto n = std::to_string(sent_);
    auto body = R"({"type":"observation","content":"note number )" + n + R"( of many","tags":["a)"
                + std::to_string(sent_ % 100) + R"("]})";
    return "POST /v1/agents/ada/observations HTTP/1.1\r\nHost: localhost\r\n"
           "Content-Type: application/json\r\nContent-Length: "
           + std::to_string(body.size()) + "\r\n\r\n" + body;
  }

  void receive(size_t number) {
    std::array<char, 16'384> buffer; // NOLINT: only received bytes are read
    auto& x = all_[number];
    auto got = ::recv(x.fd, buffer.data(), buffer.size(), 0);
    if (got <= 0)
      give_up("recv");
    x.answer.append(buffer.data(), static_cast<size_t>(got));
    auto length = length_of_answer(x.answer);
    if (length == 0 || x.answer.size() < length)
      return;
    took_ms_.push_back(std::chrono::duration<double, std::milli>(clock::now() - x.due).count());
    refused_ += x.answer.starts_with("HTTP/1.1 2") ? 0 : 1;
    x.answer.erase(0, length);
    idle_.push_back(number);
  }

  void set_timer(clock::duration after) const {
    itimerspec x{};
    x.it_value.tv_nsec = std::max<long>(1, std::min<long>(after.count(), 100'000'000));
    ::timerfd_settime(timer_, 0, &x, nullptr);
  }

  void clear_timer() const {
    uint64_t count = 0;
    if (::read(timer_, &count, sizeof count) < 0 && errno != EAGAIN)
      give_up("timerfd");
  }

  const http_load how_;
  int poll_;
  int timer_;
  std::vector<client> all_;
  std::deque<size_t> idle_; ///< numbers of clients without a request under way
  clock::time_point begun_;
  size_t sent_ = 0;
  size_t refused_ = 0;
  std::vector<double> took_ms_;
};

} // namespace

load_figures add_over_http(uint16_t port, const http_load& how) {
  return clients{port, how}.run();
}

open_streams::open_streams(
  uint16_t port, const std::vector<std::string>& queries, int receive_buffer) {
  sockets_.reserve(queries.size());
  for (const auto& query : queries) {
    sockets_.push_back(connect_to(port, receive_buffer));
    send_all(sockets_.back(),
      "GET /v1/agents/ada/events" + query + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }
  for (auto fd : sockets_) {
    std::array<char, 512> head{};
    auto got = ::recv(fd, head.data(), head.size(), 0);
    if (got <= 0
        || !std::string_view{head.data(), static_cast<size_t>(got)}.starts_with("HTTP/1.1 200"))
      give_up("event stream");
  }
}

open_streams::~open_streams() {
  for (auto fd : sockets_)
    ::close(fd);
}

read_streams::read_streams(uint16_t port, const std::vector<std::string>& queries)
  : open_{port, queries, open_streams::usual},
    reader_{[this] { run(); }} {}

/// Shuts the sockets down, which ends the reading thread.
read_streams::~read_streams() {
  for (auto fd : open_.sockets())
    ::shutdown(fd, SHUT_RDWR);
  reader_.join();
}

void read_streams::run() {
  std::vector<pollfd> all;
  for (auto fd : open_.sockets())
    all.push_back({fd, POLLIN, 0});
  std::vector<char> buffer(size_t{1} << 18);
  while (!all.empty() && ::poll(all.data(), all.size(), -1) >= 0)
    std::erase_if(all, [&](const pollfd& x) {
      return x.revents != 0 && ::recv(x.fd, buffer.data(), buffer.size(), 0) <= 0;
    });
}

} // namespace scratchpage::bench
