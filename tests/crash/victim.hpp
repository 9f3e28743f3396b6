#pragma once

#include <array>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scratchpage/actors/tools/running_child.hpp"

namespace scratchpage::test {

/// The path of a program to kill: an argument of the test, counted from 1.
inline std::string program_to_kill(int number) {
  const auto& suite = boost::unit_test::framework::master_test_suite();
  return suite.argc > number ? suite.argv[number] : "";
}

/// The number of kills; the environment variable SCRATCHPAGE_CRASHES replaces it.
inline int crashes() {
  const auto* text = std::getenv("SCRATCHPAGE_CRASHES");
  return text == nullptr ? 50 : std::atoi(text);
}

/// A process that the test kills.
class victim {
public:
  explicit victim(std::vector<std::string> command)
    : child_{spawn_child({std::move(command), {}, {}})} {
    BOOST_REQUIRE_MESSAGE(child_.pid > 0, child_.error);
  }

  /// Reads the next line of output; false when the process has ended.
  bool read_line(std::string& line) {
    while (true) {
      if (auto end = buffer_.find('\n'); end != std::string::npos) {
        line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return true;
      }
      pollfd ready{child_.out.get(), POLLIN, 0};
      constexpr int patience_ms = 60'000;
      BOOST_REQUIRE_MESSAGE(::poll(&ready, 1, patience_ms) == 1, "the process is silent");
      std::array<char, 65'536> part;
      auto size = ::read(child_.out.get(), part.data(), part.size());
      if (size <= 0)
        return false;
      buffer_.append(part.data(), static_cast<size_t>(size));
    }
  }

  void kill() const { ::kill(child_.pid, SIGKILL); }

  ~victim() {
    kill();
    ::waitpid(child_.pid, nullptr, 0);
  }

private:
  spawned_child child_;
  std::string buffer_;
};

} // namespace scratchpage::test
