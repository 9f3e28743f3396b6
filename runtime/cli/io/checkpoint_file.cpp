#include "scratchpage/runtime/cli/io/checkpoint_file.hpp"

#include <unistd.h>

#include <string>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/files/private_file.hpp"

namespace scratchpage {

namespace {

caf::error cannot_write_to(const std::filesystem::path& file) {
  return fail(errc::storage_unavailable, "", file.string() + " cannot be written");
}

} // namespace

caf::error checkpoint_file::open(const std::filesystem::path& file) {
  if (auto err = check_is_free(file))
    return err;
  file_ = file;
  part_.emplace(file.string() + ".part" + std::to_string(::getpid()));
  if (auto err = make_private(part_->path()))
    return err;
  out_.open(part_->path(), std::ios::binary | std::ios::app);
  return out_ ? caf::error{} : cannot_write_to(file_);
}

caf::error checkpoint_file::write(std::string_view piece) {
  out_.write(piece.data(), static_cast<std::streamsize>(piece.size()));
  return out_ ? caf::error{} : cannot_write_to(file_);
}

caf::error checkpoint_file::keep() {
  out_.close();
  if (!out_)
    return cannot_write_to(file_);
  if (auto err = check_copy(part_->path()))
    return err;
  return publish(part_->path(), file_);
}

} // namespace scratchpage
