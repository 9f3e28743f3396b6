#include "scratchpage/runtime/cli/log.hpp"

#include <ostream>
#include <string>

#include "scratchpage/messages/json_text.hpp"
#include "scratchpage/messages/json_view.hpp"
#include "scratchpage/runtime/cli/command_answer.hpp"

namespace scratchpage {

namespace {

/// As it is where it cannot be misread, else in quotes.
std::string shown(const json::value& x) {
  if (!x.is_string())
    return to_safe_text(x);
  std::string_view text{x.get_string().data(), x.get_string().size()};
  auto is_plain = !text.empty() && text.find_first_of(" =\"\\") == std::string_view::npos;
  auto quoted = to_safe_text(x);
  auto is_escaped = quoted.size() != text.size() + 2;
  return is_plain && !is_escaped ? std::string{text} : quoted;
}

} // namespace

void log::write(log_level how, std::string_view event, const json::object& fields) {
  if (!tells(how))
    return;
  std::string line;
  auto at = to_rfc3339(clock_.now());
  if (format_ == log_format::json) {
    json::object all{{"time", at}, {"level", view(name_of(how))}, {"event", view(event)}};
    for (const auto& [name, value] : fields)
      all[name] = value;
    line = to_safe_text(json::value(std::move(all)));
  } else {
    line.append(at).append(" ").append(name_of(how)).append(" ").append(event);
    for (const auto& [name, value] : fields)
      line.append(" ").append(name.data(), name.size()).append("=").append(shown(value));
  }
  line += '\n';
  std::lock_guard lock{mutex_};
  to_ << line << std::flush;
}

} // namespace scratchpage
