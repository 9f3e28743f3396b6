#include "scratchpage/tests/support/http_client.hpp"

#include <array>
#include <charconv>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace scratchpage::test {

namespace {

constexpr int patience_ms = 10'000;

void wait_for(int fd, short what) {
  pollfd entry{fd, what, 0};
  if (::poll(&entry, 1, patience_ms) != 1)
    throw std::runtime_error("the server is silent");
}

std::string lower(std::string x) {
  for (auto& c : x)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return x;
}

int connected(int family, const sockaddr* to, socklen_t size) {
  auto fd = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || ::connect(fd, to, size) != 0)
    throw std::runtime_error(std::string{"no connection: "} + std::strerror(errno));
  return fd;
}

} // namespace

http_client::http_client(uint16_t port) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  fd_ = connected(AF_INET, reinterpret_cast<const sockaddr*>(&to), sizeof to);
}

http_client::http_client(const std::string& socket_path) {
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  std::strncpy(to.sun_path, socket_path.c_str(), sizeof to.sun_path - 1);
  fd_ = connected(AF_UNIX, reinterpret_cast<const sockaddr*>(&to), sizeof to);
}

http_client::http_client(http_client&& x) noexcept
  : fd_{std::exchange(x.fd_, -1)},
    buffer_{std::move(x.buffer_)} {}

http_client::~http_client() {
  close();
}

bool http_client::send(std::string_view bytes) {
  while (!bytes.empty()) {
    wait_for(fd_, POLLOUT);
    auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0)
      return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

http_answer http_client::get(std::string_view path, std::string_view more_headers) {
  send(
    "GET " + std::string{path} + " HTTP/1.1\r\nHost: x\r\n" + std::string{more_headers} + "\r\n");
  return read_answer();
}

http_answer http_client::post(std::string_view path, std::string_view body) {
  send("POST " + std::string{path} + " HTTP/1.1\r\nHost: x\r\nContent-Length: "
       + std::to_string(body.size()) + "\r\n\r\n" + std::string{body});
  return read_answer();
}

http_answer http_client::read_answer(bool to_head) {
  auto result = read_head();
  if (to_head || result.status == 0 || result.status < 200 || result.status == 204
      || result.status == 304)
    return result;
  if (result.headers.contains("content-length")) {
    result.body = read(std::stoul(result.headers["content-length"]));
  } else if (result.headers["transfer-encoding"] == "chunked") {
    for (auto chunk = read_chunk(); !chunk.empty(); chunk = read_chunk())
      result.body += chunk;
  } else {
    result.body = read_all();
  }
  return result;
}

http_answer http_client::read_head() {
  http_answer result;
  auto line = read_line();
  if (!line.starts_with("HTTP/1.1 "))
    return result;
  result.status = std::stoi(line.substr(9));
  for (line = read_line(); !line.empty(); line = read_line()) {
    auto colon = line.find(": ");
    result.headers[lower(line.substr(0, colon))] = line.substr(colon + 2);
  }
  return result;
}

std::string http_client::read_chunk() {
  auto line = read_line();
  size_t size = 0;
  std::from_chars(line.data(), line.data() + line.size(), size, 16);
  auto result = read(size);
  read_line();
  return result;
}

std::string http_client::read(size_t bytes) {
  while (buffer_.size() < bytes && receive()) {
  }
  auto result = buffer_.substr(0, bytes);
  buffer_.erase(0, bytes);
  return result;
}

std::string http_client::read_all() {
  while (receive()) {
  }
  return std::exchange(buffer_, {});
}

bool http_client::is_closed() {
  return buffer_.empty() && !receive();
}

void http_client::finish() {
  ::shutdown(fd_, SHUT_WR);
}

void http_client::close(bool reset) {
  if (fd_ < 0)
    return;
  linger how{1, 0};
  if (reset)
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &how, sizeof how);
  ::close(std::exchange(fd_, -1));
}

void http_client::take_little() {
  int bytes = 2'048;
  ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

/// The next line without its line end; "" also if the connection ends.
std::string http_client::read_line() {
  auto end = buffer_.find("\r\n");
  while (end == std::string::npos) {
    if (!receive())
      return std::exchange(buffer_, {});
    end = buffer_.find("\r\n");
  }
  auto result = buffer_.substr(0, end);
  buffer_.erase(0, end + 2);
  return result;
}

/// Reads more bytes into the buffer; false if the other side has closed.
bool http_client::receive() {
  std::array<char, 16'384> bytes;
  wait_for(fd_, POLLIN);
  auto got = ::recv(fd_, bytes.data(), bytes.size(), 0);
  if (got <= 0)
    return false;
  buffer_.append(bytes.data(), static_cast<size_t>(got));
  return true;
}

} // namespace scratchpage::test
