#pragma once

#include <memory>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/files/file_store.hpp"

namespace scratchpage {

/// The FILE KEEPER of one agent: its files, one request at a time. What it writes
/// is durable when it answers. It waits for a disk or a server: spawn it detached.
class file_keeper_state {
public:
  using handle = file_keeper_actor;
  static constexpr const char* name = "file_keeper";

  /// `store` is not null and belongs to this actor alone.
  file_keeper_state(handle::pointer, std::shared_ptr<file_store> store)
    : store_{std::move(store)} {}

  handle::behavior_type make_behavior();

private:
  caf::result<file_part> read(const read_file& request);

  std::shared_ptr<file_store> store_;
};

} // namespace scratchpage
