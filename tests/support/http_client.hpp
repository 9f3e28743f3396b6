#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace scratchpage::test {

/// A server's answer as it was received.
struct http_answer {
  int status = 0; ///< 0: the connection ended before there was an answer
  std::map<std::string, std::string> headers; ///< names in lower case
  std::string body;
};

/// A blocking client that sends the given bytes unchanged. A test fails if it waits for an answer
/// for more than ten seconds.
class http_client {
public:
  /// Connects to 127.0.0.1.
  explicit http_client(uint16_t port);
  /// Connects to a local socket.
  explicit http_client(const std::string& socket_path);
  http_client(http_client&& x) noexcept;
  http_client(const http_client&) = delete;
  http_client& operator=(const http_client&) = delete;
  ~http_client();

  /// False if the other side accepts no more bytes.
  bool send(std::string_view bytes);

  /// Sends one GET request with the header "Host: x" and reads the answer.
  http_answer get(std::string_view path, std::string_view more_headers = "");
  http_answer post(std::string_view path, std::string_view body);

  /// The next answer. `to_head`: it answers a HEAD request, so it has no body.
  http_answer read_answer(bool to_head = false);

  /// Reads the status line and headers, up to the empty line, but not the body.
  http_answer read_head();

  /// The next chunk of a body; "" is the last chunk or the end of the connection.
  std::string read_chunk();

  /// Exactly `bytes` bytes; fewer if the connection ends.
  std::string read(size_t bytes);

  /// Everything up to the end of the connection.
  std::string read_all();

  /// Whether the other side has closed and nothing is left to read.
  bool is_closed();

  /// Tells the server that no more bytes follow (shutdown of the sending side).
  void finish();

  /// Closes the connection; with `reset`, by a TCP reset.
  void close(bool reset = false);

  /// Keeps the receive window small, so that the server cannot write far ahead.
  void take_little();

private:
  std::string read_line();
  bool receive();

  int fd_ = -1;
  std::string buffer_;
};

} // namespace scratchpage::test
