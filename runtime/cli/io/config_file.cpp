#include "scratchpage/runtime/cli/io/config_file.hpp"

#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/runtime/simulation/input_file.hpp"

namespace scratchpage {

caf::expected<config> load_config_file(const std::filesystem::path& file) {
  if (file.empty())
    return default_config();
  auto layer = read_config_file(file);
  if (!layer)
    return layer.error();
  auto result = load_config(std::vector<json::object>{*layer});
  if (!result)
    return in_config_file(file, result.error());
  return result;
}

caf::error in_config_file(const std::filesystem::path& file, const caf::error& err) {
  auto text = read_text_file(file);
  auto path = field_of(err);
  auto line = text ? line_of(skip_bom(*text), path) : 0;
  return bad_input(file.string(), line, path, expectation_of(err));
}

} // namespace scratchpage
