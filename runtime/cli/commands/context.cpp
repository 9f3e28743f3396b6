#include "scratchpage/runtime/cli/commands/context.hpp"

#include <ostream>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/commands/option_reader.hpp"
#include "scratchpage/runtime/cli/io/command_answer.hpp"
#include "scratchpage/runtime/cli/io/login_name.hpp"

namespace scratchpage {

namespace {

std::string sum_of(const assembled_context& x, uint32_t budget) {
  auto result = std::to_string(x.tokens) + " of " + std::to_string(budget) + " tokens";
  for (const auto& part : x.parts) {
    result += &part == &x.parts.front() ? ": " : ", ";
    result += part.name + " " + std::to_string(part.tokens);
    if (part.left_out > 0)
      result += " (" + std::to_string(part.left_out) + " left out)";
  }
  return result;
}

/// The assembled text escapes whatever others wrote (working memory).
void print(const assembled_context& x, uint32_t budget, const command_environment& environment) {
  environment.out << x.text;
  if (!x.text.empty() && !x.text.ends_with('\n'))
    environment.out << '\n';
  environment.out.flush();
  environment.err << paint(environment.err_style, ink::faint, sum_of(x, budget)) << '\n';
}

} // namespace

exit_code run_context(const context_options& options, const command_environment& environment) {
  std::string prompt;
  uint32_t budget = 0;
  option_reader read;
  read.text("PROMPT", options.prompt, prompt).whole_number("--budget", options.budget, budget);
  if (read.error())
    return complain(environment, read.error());
  auto agent =
    open_or_complain(options.agent, if_missing::refuse, {as_user(login_name()), {}}, environment);
  if (!agent)
    return exit_code::bad_input;
  auto found = agent->call_for<assembled_context>(
    "assemble_context", {{"prompt", prompt}, {"budget", budget}});
  if (!found)
    return complain(environment, found.error());
  if (options.agent.json)
    environment.out << to_safe_text(to_json(*found)) << '\n';
  else
    print(*found, budget, environment);
  return finish(environment);
}

} // namespace scratchpage
