#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace scratchpage::test {

/// What a server answered, as it came.
struct http_answer {
  int status = 0; ///< 0: the connection ended before there was an answer
  std::map<std::string, std::string> headers; ///< names in small letters
  std::string body;
};

/// A client that says what it is told, byte by byte, and blocks. Whatever does not come
/// in ten seconds fails the test.
class http_client {
public:
  /// On 127.0.0.1.
  explicit http_client(uint16_t port);
  /// On a local socket.
  explicit http_client(const std::string& socket_path);
  http_client(http_client&& x) noexcept;
  http_client(const http_client&) = delete;
  http_client& operator=(const http_client&) = delete;
  ~http_client();

  /// False if the other side takes no more.
  bool send(std::string_view bytes);

  /// One request with "Host: x".
  http_answer get(std::string_view path, std::string_view more_headers = "");
  http_answer post(std::string_view path, std::string_view body);

  /// The next answer; `to_head`: one to a HEAD, without a body.
  http_answer read_answer(bool to_head = false);

  /// Status line and headers, up to the empty line; the body is still to come.
  http_answer read_head();

  /// The next chunk of a body; "" is the last, or the connection's end.
  std::string read_chunk();

  /// So many bytes; fewer if the connection ends.
  std::string read(size_t bytes);

  /// Up to the connection's end.
  std::string read_all();

  /// Whether the other side has closed, with nothing more to read.
  bool is_closed();

  /// Says that nothing more follows.
  void finish();

  /// Goes; with `reset`, without a farewell.
  void close(bool reset = false);

  /// Keeps the window small, so that the other side cannot write far ahead.
  void take_little();

private:
  std::string read_line();
  bool receive();

  int fd_ = -1;
  std::string buffer_;
};

} // namespace scratchpage::test
