#pragma once

#include <future>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "scratchpage/runtime/cli/process.hpp"

namespace scratchpage::test {

/// The server's output. A thread can wait for its first line.
class first_line : public std::stringbuf {
public:
  std::string get() { return said_.get_future().get(); }

private:
  int sync() override {
    if (!has_said_ && str().find('\n') != std::string::npos) {
      has_said_ = true;
      said_.set_value(str().substr(0, str().find('\n')));
    }
    return 0;
  }

  std::promise<std::string> said_;
  bool has_said_ = false;
};

/// A server that runs on its own thread until the test ends it.
class running_server {
public:
  explicit running_server(const std::string& data, const std::vector<std::string>& options = {},
    const std::string& listen = ":0") {
    std::vector<std::string> words{"scratchpage", "serve", "--data", data, "--listen", listen};
    words.insert(words.end(), options.begin(), options.end());
    thread_ = std::thread{[this, words] {
      std::vector<const char*> argv;
      argv.reserve(words.size());
      for (const auto& word : words)
        argv.push_back(word.c_str());
      std::ostream out{&said_};
      command_environment environment{
        out, errors_, {}, {}, false, {}, {}, nullptr, [this] { ends_.get_future().wait(); }};
      code_ = run_command_line(static_cast<int>(argv.size()), argv.data(), environment);
    }};
    url_ = said_.get();
  }

  ~running_server() { end(); }

  int end() {
    if (thread_.joinable()) {
      ends_.set_value();
      thread_.join();
    }
    return code_;
  }

  const std::string& url() const { return url_; }
  uint16_t port() const {
    return static_cast<uint16_t>(std::stoi(url_.substr(url_.rfind(':') + 1)));
  }
  std::string errors() const { return errors_.str(); }

private:
  first_line said_;
  std::ostringstream errors_;
  std::promise<void> ends_;
  int code_ = -1;
  std::string url_;
  std::thread thread_;
};

} // namespace scratchpage::test
