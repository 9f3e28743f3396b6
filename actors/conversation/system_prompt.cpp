#include "scratchpage/actors/conversation/system_prompt.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "scratchpage/actors/scratchbook/scratchbook_view.hpp"
#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/display_text.hpp"

namespace scratchpage {

namespace {

/// Collects the pieces of a prompt. Each begins with white space, so that the tokens of the whole
/// are at most the sum of the tokens of the pieces.
class prompt_text {
public:
  prompt_text(uint32_t max_tokens, const token_counter& count)
    : left_{max_tokens},
      count_{count} {}

  uint32_t left() const { return left_; }

  /// Adds a piece. Returns false if it does not fit.
  bool add(const std::string& piece) {
    auto cost = count_(piece);
    if (cost > left_)
      return false;
    left_ -= cost;
    text_ += piece;
    return true;
  }

  uint32_t cost_of(std::string_view piece) const { return count_(piece); }
  const std::string& text() const { return text_; }

private:
  uint32_t left_;
  const token_counter& count_;
  std::string text_;
};

/// Adds a heading and as many lines as fit; nothing if not even the first fits.
void add_lines(prompt_text& to, std::string_view heading, const std::vector<std::string>& lines) {
  std::string piece = "\n\n" + std::string{heading};
  if (lines.empty() || to.cost_of(piece) + to.cost_of("\n" + lines.front()) > to.left())
    return;
  to.add(piece);
  for (const auto& line : lines)
    if (!to.add("\n" + line))
      return;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> result;
  while (!text.empty()) {
    auto end = std::min(text.find('\n'), text.size());
    if (end > 0)
      result.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::vector<std::string> lines_of(const manifest_list& tools) {
  std::vector<std::string> result;
  result.reserve(tools.size());
  for (const auto& x : tools)
    result.push_back(
      "- " + escaped(x->tool_id) + (x->description.empty() ? "" : ": " + escaped(x->description)));
  return result;
}

/// The first lines, up to `max_tokens` in all.
std::vector<std::string> within(
  std::vector<std::string> lines, uint32_t max_tokens, const token_counter& count) {
  uint64_t spent = 0;
  auto too_much = [&](const std::string& x) { return (spent += count("\n" + x)) > max_tokens; };
  lines.erase(std::find_if(lines.begin(), lines.end(), too_much), lines.end());
  return lines;
}

/// The limit, or an eighth of the window if that is less.
uint32_t within_share(uint32_t limit, const prompt_config& of) {
  return std::max(1u, std::min(limit, of.window / 8));
}

} // namespace

caf::error validate(const prompt_config& x) {
  return config_check{"prompt"}
    .range("window", x.window, 1, 100'000'000)
    .require(x.reply < x.window, "reply", "less than the window")
    .error();
}

system_prompt_builder::system_prompt_builder(const profile_config& profile,
  const scratchbook_view_config& view, const prompt_config& config, token_counter count)
  : profile_{profile},
    view_{view},
    config_{config},
    count_{std::move(count)} {}

caf::expected<system_prompt> system_prompt_builder::build(const prompt_material& material) const {
  return build(material, config_.window - config_.reply);
}

caf::expected<system_prompt> system_prompt_builder::build(
  const prompt_material& material, uint32_t max_tokens) const {
  prompt_text to{std::min(max_tokens, config_.window - config_.reply), count_};
  system_prompt result;
  auto section = [&](const char* name, auto add) -> bool {
    auto before = to.left();
    auto fits = add();
    if (before > to.left())
      result.sections.push_back({name, before - to.left()});
    return fits;
  };
  if (!section("instructions", [&] { return to.add(material.instructions); }))
    return fail(errc::overloaded, "instructions",
      "at most " + std::to_string(to.left()) + " tokens, got "
        + std::to_string(count_(material.instructions)));
  if (profile_.lists_tools())
    section("tools", [&] {
      add_lines(to, "Tools:", lines_of(material.tools));
      return true;
    });
  if (profile_.has_scratchbook())
    section("scratchbook", [&] {
      constexpr std::string_view heading = "\n\nScratchbook:\n";
      auto limits = view_;
      auto room = to.left() - std::min(to.left(), to.cost_of(heading));
      limits.token_limit = std::min(limits.token_limit, room);
      return room > 0
             && to.add(
               std::string{heading}
               + render_view(material.scratchbook, limits, count_, {}, material.reader).view);
    });
  section("context", [&] {
    add_lines(to, "Context:", within(lines_of(material.context), config_.context, count_));
    return true;
  });
  result.text = to.text();
  result.tokens = count_(result.text);
  return result;
}

caf::error validate(const conversation_config& x) {
  return config_check{"conversation"}
    .range("tool_result_token_limit", x.tool_result_token_limit, 1, 100'000'000)
    .range("message_token_limit", x.message_token_limit, 1, 100'000'000)
    .range("keep_share", x.keep_share, 0, 1)
    .range("part_ms", x.part_ms, 1, 3'600'000)
    .range("save_ms", x.save_ms, 1, 3'600'000)
    .range("compactor_ms", x.compactor_ms, 1, 3'600'000)
    .range("max_threads", x.max_threads, 1, 10'000'000)
    .range("max_waiting", x.max_waiting, 1, 1'000'000)
    .range("compactor.max_rounds", x.compactor.max_rounds, 1, 1'000)
    .range("compactor.max_calls", x.compactor.max_calls, 1, 1'000)
    .error();
}

uint32_t limit_of_result(const conversation_config& x, const prompt_config& in) {
  return within_share(x.tool_result_token_limit, in);
}

uint32_t limit_of_message(const conversation_config& x, const prompt_config& in) {
  return within_share(x.message_token_limit, in);
}

} // namespace scratchpage
