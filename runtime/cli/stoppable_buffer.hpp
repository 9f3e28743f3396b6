#pragma once

#include <array>
#include <streambuf>

namespace scratchpage {

/// What a stream reads from, or writes to, when it must not wait for ever for who is at
/// the other end of a pipe. Wants signals of pipes that nobody reads to be off.
class stoppable_buffer : public std::streambuf {
public:
  /// The descriptor is the caller's. It is either read or written.
  explicit stoppable_buffer(int fd);
  stoppable_buffer(const stoppable_buffer&) = delete;
  stoppable_buffer& operator=(const stoppable_buffer&) = delete;
  ~stoppable_buffer() override;

  /// From here on nothing is waited for: reading finds the end, and writing fails. From
  /// any thread, any number of times.
  void stop() const;

protected:
  int_type underflow() override;
  int_type overflow(int_type c) override;
  int sync() override;

private:
  bool await(short events) const;
  bool write_all();

  const int fd_;
  const int stop_; ///< an event
  std::array<char, size_t{64} << 10> buffer_;
};

} // namespace scratchpage
