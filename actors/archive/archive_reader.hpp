#pragma once

#include <memory>
#include <utility>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/kept_archive.hpp"

namespace scratchpage {

/// The ARCHIVE of an agent whose page is durable: looks for what left the page,
/// while the page does something else. Blocks its thread: spawn it detached.
class archive_reader {
public:
  using handle = archive_actor;
  static constexpr const char* name = "archive";

  archive_reader(handle::pointer, std::shared_ptr<store> in, uint64_t agent,
    std::shared_ptr<const scratchpage::clock> clock)
    : kept_{std::move(in), agent, std::move(clock)} {}

  handle::behavior_type make_behavior() {
    return {[this](const list_archive& x) -> caf::result<query_result> {
      auto found = kept_.list(x.filter, x.limit, x.cursor);
      if (!found)
        return found.error();
      return std::move(*found);
    }};
  }

private:
  kept_archive kept_;
};

} // namespace scratchpage
