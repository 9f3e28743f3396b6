#include "scratchpage/actors/scratchbook/scratchbook_config.hpp"

#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/persistence/files/file_name.hpp"

namespace scratchpage {

namespace {

/// The prefix as a relative path.
std::string_view folder_of(const scratchbook_config& x) {
  std::string_view result = x.path_prefix;
  return result.starts_with('/') ? result.substr(1) : result;
}

} // namespace

caf::error validate(const scratchbook_config& x) {
  return config_check{"scratchbook"}
    .require(!check_file_path(folder_of(x)), "path_prefix", "a path such as /scratchbook")
    .range("limits.max_items", x.limits.max_items, 1, 1'000'000)
    .range("limits.max_title_bytes", x.limits.max_title_bytes, 1, 65'536)
    .range("limits.max_bytes", x.limits.max_bytes, 1'024, 268'435'456)
    .range("max_waiting", x.max_waiting, 1, 1'000'000)
    .range("max_open", x.max_open, 1, 1'000'000)
    .range("open_bytes", static_cast<double>(x.open_bytes), 1, 1e12)
    .range("save_ms", x.save_ms, 1, 3'600'000)
    .range("goal_ms", x.goal_ms, 1, 3'600'000)
    .error();
}

std::string scratchbook_path(const scratchbook_config& x, std::string_view thread_id) {
  return std::string{folder_of(x)}.append("/").append(file_name_for(thread_id)).append(".json");
}

} // namespace scratchpage
