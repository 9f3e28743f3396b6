#include "scratchpage/runtime/cli/commands/evaluate.hpp"

#include <memory>
#include <optional>
#include <ostream>
#include <system_error>
#include <utility>

#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/persistence/privacy/privacy_policy.hpp"
#include "scratchpage/runtime/cli/commands/model_replies.hpp"
#include "scratchpage/runtime/cli/commands/progress_bar.hpp"
#include "scratchpage/runtime/cli/commands/simulate.hpp"
#include "scratchpage/runtime/cli/io/files.hpp"
#include "scratchpage/runtime/cli/terminal/notices_view.hpp"
#include "scratchpage/runtime/evaluation/evaluation_view.hpp"
#include "scratchpage/runtime/simulation/input_file.hpp"
#include "scratchpage/runtime/simulation/report.hpp"

namespace scratchpage {

namespace {

namespace fs = std::filesystem;

/// A configuration that is measured: its player, its masker if it masks exports, its decisions.
struct measured {
  std::unique_ptr<player> plays;
  std::optional<pii_masker> masker;
  std::unique_ptr<measured_decisions> decisions;
};

ink ink_of(std::optional<double> f1) {
  if (!f1)
    return ink::faint;
  return *f1 >= 0.9 ? ink::good : *f1 >= 0.7 ? ink::warn : ink::bad;
}

class evaluating {
public:
  evaluating(const evaluate_options& options, const command_environment& environment)
    : options_{options},
      environment_{environment} {}

  exit_code run() {
    if (auto err = prepare())
      return complain(err, exit_code::bad_input);
    if (auto err = play_all())
      return complain(
        err, code_of(err) == errc::invalid_request ? exit_code::bad_input : exit_code::unmet);
    if (report_.is_open()) {
      if (auto err = report_.finish())
        return complain(err, exit_code::unmet);
      if (auto err = report_.commit())
        return complain(err, exit_code::unmet);
    }
    if (auto err = replies_.finish())
      return complain(err, exit_code::unmet);
    if (auto err = replies_.commit())
      return complain(err, exit_code::unmet);
    options_.json ? print_json() : print_table();
    auto code = finish(environment_);
    return code == exit_code::ok && refused_ > 0 ? exit_code::partly : code;
  }

private:
  caf::error prepare() {
    if (auto err = replies_.open(options_.model_replies))
      return err;
    auto read = read_labelled_files(options_.inputs, options_.strict);
    if (!read)
      return read.error();
    print_notices(environment_.err, read->notices, options_.quiet);
    refused_ = read->notices.refused();
    inputs_ = std::move(read->conversations);
    if (auto err = configure(options_.config, first_))
      return err;
    if (!options_.against.empty())
      if (auto err = configure(options_.against, second_.emplace()))
        return err;
    return open_report();
  }

  caf::error configure(const fs::path& file, measured& out) const {
    out.plays = environment_.make_player ? environment_.make_player() : nullptr;
    if (!out.plays)
      return fail(errc::internal, "", "this program was built without an ensemble");
    json::object config;
    if (!file.empty()) {
      auto read = read_config_file(file);
      if (!read)
        return read.error();
      config = std::move(*read);
    }
    if (auto err = out.plays->configure(config))
      return file.empty() ? err : in_config_file(file, err);
    auto effective = load_config({config});
    if (!effective)
      return effective.error();
    if (privacy_policy privacy{effective->privacy}; privacy.masks_on_export())
      out.masker.emplace(privacy.masker());
    out.decisions = std::make_unique<measured_decisions>(out.masker ? &*out.masker : nullptr);
    return {};
  }

  /// The report may not be an input.
  caf::error open_report() {
    if (options_.report.empty())
      return {};
    std::error_code ec;
    auto taken = options_.inputs;
    taken.push_back(options_.config);
    taken.push_back(options_.against);
    taken.push_back(options_.model_replies);
    for (const auto& path : taken)
      if (!path.empty() && fs::equivalent(path, options_.report, ec))
        return bad_input(
          options_.report.string(), 0, "", "expected an output file that is not an input");
    return report_.open(options_.report);
  }

  caf::error play_all() {
    progress_bar progress{environment_.err, environment_.err_style,
      environment_.show_progress && !options_.quiet, environment_.now_ms, "conversations"};
    report page{inputs_.size()};
    auto total = inputs_.size() * (second_ ? 2 : 1);
    size_t done = 0;
    for (const auto& one : inputs_) {
      auto result = play(first_, one);
      if (!result)
        return about(one.played, result.error());
      if (report_.is_open())
        page.add(one.played, first_.masker ? masked(*result, *first_.masker) : *result);
      progress.update(++done, total, one.played.id);
      if (!second_)
        continue;
      if (auto other = play(*second_, one); !other)
        return about(one.played, other.error());
      progress.update(++done, total, one.played.id);
    }
    if (report_.is_open()) {
      page.set_section(evaluation_html(*first_.decisions, against(), options_.show));
      report_.write(
        page.html("Evaluation", "Played in virtual time, seed " + std::to_string(options_.seed),
          first_.decisions->summary()));
    }
    return {};
  }

  caf::expected<play_result> play(measured& with, const labelled_conversation& x) const {
    play_options how;
    how.seed = options_.seed;
    how.models = replies_.access();
    return play_and_count(*with.plays, x, how, *with.decisions);
  }

  static caf::error about(const conversation& x, const caf::error& err) {
    auto where = x.file + ": " + one_line(x.id);
    auto field = field_of(err);
    return fail(code_of(err), field.empty() ? where : where + ": " + field, expectation_of(err));
  }

  const measured_decisions* against() const { return second_ ? second_->decisions.get() : nullptr; }

  void print_json() const {
    environment_.out << to_safe_text(evaluation_json(*first_.decisions, against(), options_.show))
                     << '\n';
  }

  void print_table() const {
    std::vector<table_column> columns{
      {"decision"}, {"cases", true}, {"precision", true}, {"recall", true}, {"F1", true}};
    if (second_)
      columns.push_back({"F1 against", true});
    columns.push_back({"otherwise"});
    table shown{std::move(columns)};
    const auto* other = against();
    for (const auto& row :
      rows_of(first_.decisions->scores(), other != nullptr ? &other->scores() : nullptr))
      add_row(shown, row);
    shown.print(environment_.out, environment_.out_style);
    print_cases("Judged otherwise", *first_.decisions);
    if (other != nullptr)
      print_cases("Judged otherwise by the second configuration", *other);
  }

  void add_row(table& shown, const score_row& x) const {
    auto is_daemon = x.figure.empty();
    auto name = is_daemon ? x.daemon : x.value.empty() ? "  " + x.figure : "    " + x.value;
    auto counted = x.counts.cases > 0;
    std::vector<table_cell> cells{{name, is_daemon ? ink::bold : ink::plain},
      {counted ? std::to_string(x.counts.cases) : ""}, {shown_share(x.counts.precision())},
      {shown_share(x.counts.recall())}, {shown_share(x.counts.f1()), ink_of(x.counts.f1())}};
    if (second_)
      cells.push_back({shown_share(x.against.f1()), ink_of(x.against.f1())});
    cells.push_back({counted ? std::to_string(x.counts.otherwise) : ""});
    shown.add(cells);
  }

  void print_cases(std::string_view title, const measured_decisions& x) const {
    auto cases = first_cases(x, options_.show);
    if (cases.empty())
      return;
    auto& out = environment_.out;
    const auto& style = environment_.out_style;
    out << '\n' << paint(style, ink::bold, title) << '\n';
    for (const auto* one : cases) {
      auto call = one->call_id.empty() ? "" : ", call " + escaped(one->call_id);
      out << '\n'
          << to_string(one->what) << ": " << paint(style, ink::bad, one->found) << ", labelled "
          << paint(style, ink::good, one->wanted) << "  "
          << paint(style, ink::faint,
               escaped(one->conversation) + ", turn " + std::to_string(one->turn) + call)
          << '\n';
      print_message("assistant", one->before);
      print_message("user", one->input);
      print_message("assistant", one->response);
    }
  }

  void print_message(std::string_view who, const std::string& text) const {
    if (!text.empty())
      environment_.out << "  " << paint(environment_.out_style, ink::faint, pad(who, 10)) << ' '
                       << escaped(text) << '\n';
  }

  exit_code complain(const caf::error& err, exit_code code) const {
    environment_.err << "scratchpage: " << escaped(describe_input(err)) << '\n';
    return code;
  }

  const evaluate_options& options_;
  const command_environment& environment_;
  std::vector<labelled_conversation> inputs_;
  size_t refused_ = 0; ///< lines that could not be read
  measured first_;
  std::optional<measured> second_;
  output_file report_;
  model_replies replies_;
};

} // namespace

exit_code evaluate(const evaluate_options& options, const command_environment& environment) {
  return evaluating{options, environment}.run();
}

} // namespace scratchpage
