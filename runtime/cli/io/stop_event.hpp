#pragma once

namespace scratchpage {

/// What ends the wait for a descriptor. From any thread.
class stop_event {
public:
  stop_event();
  stop_event(const stop_event&) = delete;
  stop_event& operator=(const stop_event&) = delete;
  ~stop_event();

  /// From here on nothing is waited for. Any number of times.
  void set() const;

  /// Waits until `fd` is ready for one of these events (poll(2)), or broken: true; or
  /// until it is set: false.
  bool await(int fd, short events) const;

private:
  const int event_;
};

} // namespace scratchpage
