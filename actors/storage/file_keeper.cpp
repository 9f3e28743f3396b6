#include "scratchpage/actors/storage/file_keeper.hpp"

#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/stored_files/file_versions.hpp"

namespace scratchpage {

namespace {

caf::result<void> answer(const caf::error& err) {
  if (err)
    return err;
  return caf::unit;
}

} // namespace

file_keeper_state::handle::behavior_type file_keeper_state::make_behavior() {
  return {
    [this](const write_file& x) {
      return answer(x.version ? store_->write_version(x.path, x.bytes, *x.version)
                              : store_->write(x.path, x.bytes));
    },
    [this](const append_file& x) { return answer(store_->append(x.path, x.bytes)); },
    [this](const read_file& x) { return read(x); },
  };
}

caf::result<file_part> file_keeper_state::read(const read_file& request) {
  auto found = store_->read(request.path, request.offset, request.most);
  if (!found)
    return found.error();
  file_part result;
  if (request.with_version) {
    auto known = store_->version_of(request.path);
    if (!known)
      return known.error();
    result.version = std::move(*known);
  }
  if (!*found)
    return result.version
             ? fail(errc::internal, "", missing_version(*result.version))
             : fail(errc::not_found, "path", "expected an existing file, got " + request.path);
  result.bytes = std::move((*found)->bytes);
  result.size = (*found)->size;
  return result;
}

} // namespace scratchpage
