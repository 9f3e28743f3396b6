#include "scratchpage/tests/support/trace_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/persistence/files/private_file.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"

namespace scratchpage {

namespace {

caf::error storage_error(const std::filesystem::path& path, const char* what) {
  return fail(errc::storage_unavailable, path.string(),
    std::string{what} + ": " + std::generic_category().message(errno));
}

/// An entry contains a complete observation, so it may be larger than a request.
constexpr json_limits entry_limits{
  .max_bytes = 16u << 20, .max_depth = 64, .max_values = any_number_of_values};

} // namespace

caf::expected<std::shared_ptr<trace_file>> trace_file::create(std::filesystem::path path) {
  auto partial = path;
  partial += "." + std::to_string(::getpid()) + ".partial";
  std::error_code ec;
  std::filesystem::remove(partial, ec);
  if (make_private(partial))
    return storage_error(path, "cannot be written");
  auto* file = std::fopen(partial.c_str(), "wb");
  if (file == nullptr)
    return storage_error(path, "cannot be written");
  return std::shared_ptr<trace_file>{new trace_file{std::move(path), std::move(partial), file}};
}

trace_file::trace_file(std::filesystem::path path, std::filesystem::path partial, std::FILE* file)
  : path_{std::move(path)},
    partial_{std::move(partial)},
    file_{file} {
  constexpr size_t buffer_size = 1u << 16;
  std::setvbuf(file, nullptr, _IOFBF, buffer_size);
}

trace_file::~trace_file() {
  if (file_ == nullptr)
    return;
  std::error_code ignored;
  std::filesystem::remove(partial_, ignored);
}

void trace_file::write(trace_entry entry) {
  std::string line;
  append_complete(line, entry); // the costly half, outside the lock
  line += '\n';
  std::lock_guard guard{mutex_};
  if (file_ == nullptr)
    return;
  if (std::fwrite(line.data(), 1, line.size(), file_.get()) != line.size())
    give_up("cannot be written");
  else
    ++size_;
}

caf::error trace_file::commit() {
  std::lock_guard guard{mutex_};
  if (file_ == nullptr)
    return error_;
  // Without this sync, a crash after the rename could leave an empty file.
  if (std::fflush(file_.get()) != 0 || ::fsync(::fileno(file_.get())) != 0) {
    give_up("cannot be written");
  } else if (std::fclose(file_.release()) != 0
             || std::rename(partial_.c_str(), path_.c_str()) != 0) {
    give_up("cannot be put in place");
  }
  return error_;
}

void trace_file::give_up(const char* what) {
  error_ = storage_error(path_, what);
  file_.reset();
  std::error_code ignored;
  std::filesystem::remove(partial_, ignored);
}

uint64_t trace_file::size() const {
  std::lock_guard guard{mutex_};
  return size_;
}

caf::expected<std::vector<trace_entry>> read_trace(std::string_view text) {
  std::vector<trace_entry> result;
  for (size_t number = 1; !text.empty(); ++number) {
    auto end = std::min(text.find('\n'), text.size());
    auto entry = from_json_text<trace_entry>(text.substr(0, end), entry_limits);
    if (!entry)
      return fail(errc::invalid_request, "line " + std::to_string(number), describe(entry.error()));
    result.push_back(std::move(*entry));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

caf::expected<std::vector<trace_entry>> read_trace_file(const std::filesystem::path& path) {
  std::ifstream in{path, std::ios::binary};
  std::string text;
  std::array<char, 1u << 16> chunk;
  while (in.read(chunk.data(), chunk.size()) || in.gcount() > 0)
    text.append(chunk.data(), static_cast<size_t>(in.gcount()));
  if (!in.is_open() || in.bad())
    return fail(errc::not_found, path.string(), "a file that can be read");
  return read_trace(text);
}

} // namespace scratchpage
