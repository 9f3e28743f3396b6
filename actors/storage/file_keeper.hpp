#pragma once

#include <memory>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/files/file_store.hpp"

namespace scratchpage {

/// The FILE KEEPER of one agent: it reads and writes the agent's files, one request at a time.
/// When it answers a write, the bytes are durable. This actor blocks its thread: spawn it detached.
class file_keeper_state {
public:
  using handle = file_keeper_actor;
  static constexpr const char* name = "file_keeper";

  /// `store` is not null and is used by this actor alone.
  file_keeper_state(handle::pointer, std::shared_ptr<file_store> store)
    : store_{std::move(store)} {}

  handle::behavior_type make_behavior();

private:
  caf::result<file_part> read(const read_file& request);

  std::shared_ptr<file_store> store_;
};

} // namespace scratchpage
