#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/scratchbook/scratchbooks.hpp"
#include "scratchpage/messages/messages.hpp"
#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/tests/support/stub_behavior.hpp"
#include "scratchpage/tests/support/virtual_time.hpp"

namespace scratchpage::test {

/// Files in memory that count reads and writes, and fail on demand.
class watched_files : public memory_files {
public:
  caf::error write(std::string_view path, std::string_view bytes) override {
    ++writes;
    if (fails)
      return fail(errc::storage_unavailable, "", "the disk is full");
    return memory_files::write(path, bytes);
  }

  caf::expected<std::optional<file_content>> read(
    std::string_view path, uint64_t offset, uint64_t most) override {
    ++reads;
    if (fails)
      return fail(errc::storage_unavailable, "", "the disk is gone");
    return memory_files::read(path, offset, most);
  }

  std::string text(std::string_view path) {
    auto found = memory_files::read(path, 0, UINT64_MAX);
    return found && *found ? (*found)->bytes : "none";
  }

  int writes = 0;
  int reads = 0;
  bool fails = false;
};

/// A Frontal Cortex that never answers questions about goals.
class silent_cortex {
public:
  using handle = frontal_cortex_actor;
  static constexpr const char* name = "silent_cortex";

  explicit silent_cortex(handle::pointer self)
    : self_{self} {}

  handle::behavior_type make_behavior() {
    return stub_behavior<handle>([this](const get_goal&) -> caf::result<goal> {
      return waiting_.emplace_back(self_->make_response_promise<goal>());
    });
  }

private:
  handle::pointer self_;
  std::vector<caf::typed_response_promise<goal>> waiting_;
};

/// Objects that outlive the actors.
struct book_parts {
  std::shared_ptr<watched_files> files = std::make_shared<watched_files>();
  std::shared_ptr<memory_trace> trace = std::make_shared<memory_trace>();
};

/// The scratchbook actors of an agent, on virtual time.
struct running_books : book_parts, virtual_time {
  scratchbook_config config;
  scratchbook_actor books;

  template <class T>
  static T value(caf::expected<T> x) {
    BOOST_REQUIRE_MESSAGE(x, (x ? "" : describe(x.error())));
    return std::move(*x);
  }
};

} // namespace scratchpage::test
