#include "scratchpage/runtime/cli/commands/simulate.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <system_error>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/persistence/privacy/privacy_policy.hpp"
#include "scratchpage/runtime/cli/commands/model_replies.hpp"
#include "scratchpage/runtime/cli/commands/progress_bar.hpp"
#include "scratchpage/runtime/cli/io/files.hpp"
#include "scratchpage/runtime/cli/terminal/notices_view.hpp"
#include "scratchpage/runtime/cli/terminal/story.hpp"
#include "scratchpage/runtime/simulation/decisions.hpp"
#include "scratchpage/runtime/simulation/input_file.hpp"
#include "scratchpage/runtime/simulation/report.hpp"

namespace scratchpage {

namespace {

void mask(std::vector<std::string>& texts, const pii_masker& masker) {
  for (auto& text : texts)
    text = masker.mask(text);
}

void mask(std::vector<observation_ptr>& observations, const pii_masker& masker) {
  for (auto& x : observations) {
    if (!masker.finds_any(*x))
      continue;
    auto copy = std::make_shared<observation>(*x);
    masker.mask(*copy);
    x = observation_ptr{std::move(copy)};
  }
}

void mask(played_turn& x, const pii_masker& masker) {
  x.request.input = masker.mask(x.request.input);
  x.request.user_id = masker.mask(x.request.user_id);
  masker.mask(x.request.context);
  for (auto& call : x.request.plan)
    masker.mask(call.inputs);
  x.result.response = masker.mask(x.result.response);
  mask(x.result.questions, masker);
  mask(x.result.warnings, masker);
  for (auto& asked : x.result.waiting)
    asked.question = masker.mask(asked.question);
  mask(x.result.observations, masker);
  masker.mask(x.result.assessment);
  for (auto& goal : x.result.goals)
    masker.mask(goal);
  for (auto& action : x.result.pending_actions)
    action.description = masker.mask(action.description);
  for (auto& call : x.calls)
    call.error = masker.mask(call.error);
  x.scratchbook = masker.mask(x.scratchbook);
  for (auto& moment : x.model)
    moment.view = masker.mask(moment.view);
}

namespace fs = std::filesystem;

/// The files that a run writes; all of them or none.
struct outputs {
  output_file summary;
  output_file trace;
  output_file report;
  output_file decisions;
  model_replies replies;

  caf::error commit() {
    std::array files{&summary, &trace, &report, &decisions};
    for (auto* file : files)
      if (file->is_open())
        if (auto err = file->finish())
          return err;
    if (auto err = replies.finish())
      return err;
    for (auto* file : files)
      if (auto err = file->commit())
        return err;
    return replies.commit();
  }
};

/// One run of the command, from reading to writing.
class simulation {
public:
  simulation(const simulate_options& options, const command_environment& environment)
    : options_{options},
      environment_{environment} {}

  exit_code run() {
    auto started = environment_.now_ms();
    if (auto err = prepare())
      return complain(err, exit_code::bad_input);
    if (auto err = play_all(started))
      return complain(
        err, code_of(err) == errc::invalid_request ? exit_code::bad_input : exit_code::unmet);
    if (auto err = outputs_.commit())
      return complain(err, exit_code::unmet);
    if (options_.summary == "-")
      environment_.out << to_summary_text(total_) << std::flush;
    return any_unmet_                 ? exit_code::unmet
           : total_.refused_lines > 0 ? exit_code::partly
                                      : exit_code::ok;
  }

private:
  bool summary_on_output() const { return options_.summary == "-"; }

  /// Checks what can be checked before the first turn.
  caf::error prepare() {
    if (auto err = check_paths())
      return err;
    auto read = read_inputs(options_.inputs, options_.strict);
    if (!read)
      return read.error();
    print_notices(environment_.err, read->notices, options_.quiet);
    total_.refused_lines = read->notices.refused();
    conversations_ = std::move(read->conversations);
    player_ = environment_.make_player ? environment_.make_player() : nullptr;
    if (!player_)
      return fail(errc::internal, "", "this program was built without an ensemble");
    if (auto err = configure())
      return err;
    return open_outputs();
  }

  caf::error configure() {
    json::object config;
    if (!options_.config.empty()) {
      auto file = read_config_file(options_.config);
      if (!file)
        return file.error();
      config = std::move(*file);
    }
    auto err = player_->configure(config);
    if (err)
      return options_.config.empty() ? err : in_config_file(options_.config, err);
    auto effective = load_config({config});
    if (!effective)
      return effective.error();
    if (privacy_policy privacy{effective->privacy}; privacy.masks_on_export())
      exports_.emplace(privacy.masker());
    return {};
  }

  /// No output may be an input or another output.
  caf::error check_paths() const {
    std::set<fs::path> taken;
    std::error_code ec;
    auto real = [&ec](const fs::path& path) { return fs::weakly_canonical(path, ec); };
    for (const auto& path : options_.inputs)
      taken.insert(real(path));
    if (!options_.config.empty())
      taken.insert(real(options_.config));
    for (const auto& path : {options_.summary, options_.trace, options_.report, options_.decisions,
           options_.model_replies}) {
      auto nothing = path.empty() || path == "-" || fs::is_character_file(path, ec);
      if (!nothing && !taken.insert(real(path)).second)
        return bad_input(path.string(), 0, "",
          "expected an output file that is neither an input nor another output");
    }
    return {};
  }

  caf::error open_outputs() {
    if (auto err = outputs_.replies.open(options_.model_replies))
      return err;
    if (!options_.summary.empty() && !summary_on_output())
      if (auto err = outputs_.summary.open(options_.summary))
        return err;
    if (!options_.trace.empty())
      if (auto err = outputs_.trace.open(options_.trace))
        return err;
    if (!options_.decisions.empty())
      if (auto err = outputs_.decisions.open(options_.decisions))
        return err;
    if (!options_.report.empty())
      return outputs_.report.open(options_.report);
    return {};
  }

  caf::error play_all(double started) {
    auto& story_out = summary_on_output() ? environment_.err : environment_.out;
    auto& story_style = summary_on_output() ? environment_.err_style : environment_.out_style;
    story_printer story{story_out, story_style, scope()};
    progress_bar progress{environment_.err, environment_.err_style,
      environment_.show_progress && !options_.quiet, environment_.now_ms};
    report page{conversations_.size()};
    size_t turns = 0;
    size_t done = 0;
    for (const auto& one : conversations_)
      turns += count_turns(one);
    for (const auto& one : conversations_) {
      play_options how{options_.seed, options_.shuffle, options_.real_time, options_.window, {},
        outputs_.replies.access()};
      how.on_turn = [&] { progress.update(std::min(++done, turns), turns, one.id); };
      auto result = player_->play(one, how);
      if (!result)
        return about(one, result.error());
      const auto& seen = result->counters;
      any_unmet_ =
        any_unmet_ || !result->unmet.empty() || seen.over_window > 0 || seen.forgotten > 0;
      total_ += result->counters;
      write_trace(result->trace);
      write_decisions(one.id, *result);
      if (outputs_.report.is_open())
        page.add(one, exports_ ? masked(*result, *exports_) : *result);
      progress.clear();
      if (!options_.quiet)
        story.tell(one, *result);
    }
    total_.wall_ms = environment_.now_ms() - started;
    finish(story, page);
    return {};
  }

  void finish(story_printer& story, const report& page) {
    if (!options_.quiet)
      story.tell_end(total_);
    if (outputs_.summary.is_open())
      outputs_.summary.write(to_summary_text(total_));
    if (outputs_.report.is_open())
      outputs_.report.write(page.html(title(), subtitle(), total_));
  }

  /// Names the conversation that an error of the player is about.
  static caf::error about(const conversation& x, const caf::error& err) {
    auto where = x.file + ": " + one_line(x.id);
    auto field = field_of(err);
    return fail(code_of(err), field.empty() ? where : where + ": " + field, expectation_of(err));
  }

  void write_trace(const std::vector<trace_entry>& entries) {
    if (!outputs_.trace.is_open())
      return;
    for (const auto& entry : entries)
      outputs_.trace.write(to_text(to_json(entry)) + "\n");
  }

  void write_decisions(const std::string& id, const play_result& played) {
    if (!outputs_.decisions.is_open())
      return;
    for (const auto& turn : decisions_in(id, exports_ ? masked(played, *exports_) : played))
      outputs_.decisions.write(to_text(turn) + "\n");
  }

  story_scope scope() const {
    story_scope result;
    result.conversations = conversations_.size();
    result.verbose = options_.verbose;
    for (const auto& x : conversations_)
      result.id_width = std::max(result.id_width, display_width(one_line(x.id)));
    return result;
  }

  std::string title() const {
    auto name = options_.inputs.front().filename().string();
    auto more = options_.inputs.size() - 1;
    if (conversations_.size() == 1)
      return one_line(conversations_.front().id);
    return more == 0 ? name : name + " and " + count_of(more, "more file");
  }

  std::string subtitle() const {
    auto result = options_.real_time ? std::string{"Played in real time"}
                                     : std::string{"Played in virtual time"};
    result += ", seed " + std::to_string(options_.seed);
    return options_.shuffle ? result + ", actors in shuffled order" : result;
  }

  exit_code complain(const caf::error& err, exit_code code) const {
    environment_.err << "scratchpage: " << escaped(describe_input(err)) << '\n';
    return code;
  }

  const simulate_options& options_;
  const command_environment& environment_;
  std::vector<conversation> conversations_;
  std::unique_ptr<player> player_;
  outputs outputs_;
  std::optional<pii_masker> exports_; // masks exported texts; none: they stay as they are
  run_summary total_;
  bool any_unmet_ = false;
};

} // namespace

play_result masked(play_result x, const pii_masker& masker) {
  for (auto& turn : x.turns)
    mask(turn, masker);
  mask(x.observations, masker);
  for (auto& goal : x.goals)
    masker.mask(goal);
  for (auto& fact : x.facts)
    masker.mask(fact);
  mask(x.unmet, masker);
  return x;
}

exit_code simulate(const simulate_options& options, const command_environment& environment) {
  return simulation{options, environment}.run();
}

} // namespace scratchpage
