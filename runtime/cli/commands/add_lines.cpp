#include "scratchpage/runtime/cli/commands/add_lines.hpp"

#include <filesystem>
#include <fstream>
#include <istream>
#include <ostream>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/io/command_answer.hpp"
#include "scratchpage/runtime/cli/io/line_reader.hpp"

namespace scratchpage {

namespace {

constexpr size_t most_at_once = 256;
/// Content and metadata at their largest, every byte escaped.
constexpr json_limits line_limits{size_t{4} << 20, 32};

/// The work of one call, from reading to writing.
class line_adder {
public:
  line_adder(const add_options& options, const caller& by, std::istream& in, agent_client& agent,
    const command_environment& environment)
    : options_{options},
      by_{by},
      reader_{in, line_limits.max_bytes},
      agent_{agent},
      environment_{environment} {}

  exit_code run() {
    auto goes_on = true;
    while (goes_on) {
      goes_on = read_some();
      if (auto err = add_some())
        return complain(environment_, err);
    }
    if (reader_.has_failed()) {
      complain_of_input(environment_,
        fail(errc::invalid_request, "--file", "expected an input that can be read to its end"));
      return exit_code::unmet;
    }
    return finish(environment_, any_refused_ ? exit_code::unmet : exit_code::ok);
  }

private:
  /// A line's draft, or why it is none.
  struct line {
    size_t number;
    caf::error error;
  };

  /// What is there already, but not too much of it; false at the end.
  bool read_some() {
    std::string text;
    do {
      if (!reader_.next(text))
        return false;
      if (!utf8::is_blank(text))
        take(text);
    } while (lines_.size() < most_at_once && reader_.has_more_waiting());
    return true;
  }

  static caf::expected<observation_draft> read(std::string_view text) {
    auto value = parse_json(text, line_limits);
    if (!value)
      return fail(errc::invalid_request, "", "expected " + expectation_of(value.error()));
    return from_json<observation_draft>(*value);
  }

  void take(std::string_view text) {
    auto draft = read(reader_.number() == 1 ? skip_bom(text) : text);
    lines_.push_back({reader_.number(), draft ? caf::error{} : draft.error()});
    if (draft)
      drafts_.push_back(std::move(*draft));
  }

  caf::error add_some() {
    if (lines_.empty())
      return {};
    json::object arguments{{"drafts", to_json(std::exchange(drafts_, {}))}};
    auto added = agent_.call_for<add_outcomes>("add_observations", std::move(arguments));
    if (!added)
      return added.error();
    auto outcome = added->outcomes.begin();
    for (auto& x : std::exchange(lines_, {})) {
      if (x.error)
        print_refused(x.number, x.error);
      else
        print(x.number, *outcome++);
    }
    environment_.out.flush();
    return {};
  }

  void print(size_t number, const add_outcome& x) {
    if (x.error) {
      print_refused(number, x.error);
      return;
    }
    for (const auto& warning : x.stored.warnings)
      warn(environment_, where(number) + ": " + warning);
    if (options_.agent.json)
      environment_.out << to_safe_text(to_json(x.stored.observation)) << '\n';
    else
      environment_.out << x.stored.observation->observation_id << '\n';
  }

  void print_refused(size_t number, const caf::error& err) {
    any_refused_ = true;
    if (options_.agent.json)
      environment_.out << to_safe_text(json::object{{"line", number}, {"error", to_json(err)}})
                       << '\n';
    else
      environment_.out << "refused\n";
    complain_of_input(
      environment_, fail(errc::invalid_request, where(number), describe_input(err)));
  }

  std::string where(size_t number) const {
    auto name = options_.file == "-" ? "standard input" : options_.file;
    return name + ":" + std::to_string(number);
  }

  const add_options& options_;
  const caller& by_;
  line_reader reader_;
  agent_client& agent_;
  const command_environment& environment_;
  std::vector<line> lines_;
  std::vector<observation_draft> drafts_; // of those lines that are one
  bool any_refused_ = false;
};

exit_code add_from(std::istream& in, const add_options& options, const caller& by,
  const command_environment& environment) {
  auto agent = open_or_complain(options.agent, if_missing::make, {by, {}}, environment);
  if (!agent)
    return exit_code::bad_input;
  auto end = line_adder{options, by, in, *agent, environment}.run();
  settle(*agent, environment);
  return end;
}

} // namespace

exit_code add_lines(
  const add_options& options, const caller& by, const command_environment& environment) {
  auto refuse = [&](std::string_view expected) {
    return complain(environment, fail(errc::invalid_request, "--file", expected));
  };
  if (options.file == "-")
    return environment.in == nullptr ? refuse("expected a standard input to read")
                                     : add_from(*environment.in, options, by, environment);
  std::error_code ec;
  std::ifstream in{options.file, std::ios::binary};
  if (!in || std::filesystem::is_directory(options.file, ec))
    return refuse("expected a file that can be read, got '" + options.file + "'");
  return add_from(in, options, by, environment);
}

} // namespace scratchpage
