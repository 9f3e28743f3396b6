#include "scratchpage/runtime/cli/terminal/story.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <ostream>
#include <set>
#include <sstream>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/text/display_text.hpp"

namespace scratchpage {

namespace {

constexpr size_t told_unmet = 50;
constexpr size_t label_columns = 10;
constexpr size_t urgency_columns = 7;
constexpr size_t status_columns = 13;
constexpr size_t figure_columns = 16;
constexpr size_t columns_elsewhere = 100; // of the layout where there is no terminal

ink ink_of_turn(urgency x) {
  return x == urgency::high ? ink::bad : x == urgency::medium ? ink::warn : ink::faint;
}

ink ink_of_turn(turn_status x) {
  if (x == turn_status::complete)
    return ink::good;
  return x == turn_status::timed_out ? ink::bad : ink::warn;
}

ink ink_of_turn(goal_status x) {
  return x == goal_status::completed ? ink::good
         : x == goal_status::blocked ? ink::warn
                                     : ink::accent;
}

std::string words(std::string text) {
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string percent(double x) {
  return std::to_string(std::lround(x * 100)) + " %";
}

std::string right(const std::string& text, size_t columns) {
  auto width = display_width(text);
  return width >= columns ? text : std::string(columns - width, ' ') + text;
}

bool is_one_of(const std::string& type, std::initializer_list<std::string_view> types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

/// Prints one conversation turn by turn.
class teller {
public:
  teller(std::ostream& out, const terminal_style& style, bool verbose)
    : out_{out},
      style_{style},
      verbose_{verbose} {}

  void tell(const conversation& played, const play_result& result) {
    head(played, result);
    for (size_t i = 0; i < result.turns.size(); ++i)
      turn(i + 1, result.turns[i], result.turns.size() > 1 && played.agents.size() > 1);
    goals(result.goals);
    facts(result.facts);
    unmet(result.unmet);
    out_ << '\n';
  }

private:
  void head(const conversation& played, const play_result& result) {
    auto seconds = result.counters.virtual_seconds;
    auto name = one_line(played.id);
    auto figures = "  " + count_of(result.turns.size(), "turn") + ", "
                   + count_of(result.counters.tool_calls, "call") + " in "
                   + human_time(seconds * 1000);
    out_ << paint(style_, ink::bold, name) << paint(style_, ink::faint, figures) << "\n\n";
  }

  /// Prints an indented label, and a text that is cut to the width.
  void line(std::string_view label, ink how, const std::string& text) {
    auto room = style_.width > label_columns + 6 ? style_.width - label_columns - 6 : 20;
    out_ << "     " << paint(style_, how, pad(label, label_columns)) << " "
         << (style_.is_limited() ? fit(one_line(text), room) : one_line(text)) << '\n';
  }

  size_t columns() const { return style_.is_limited() ? style_.width : columns_elsewhere; }

  /// The text in that many columns. What does not fit is cut on a terminal only.
  std::string padded(const std::string& text, size_t room) const {
    return style_.is_limited() || display_width(text) < room ? pad(text, room) : text;
  }

  void turn(size_t number, const played_turn& x, bool name_agent) {
    auto lasted = duration_of(x.result);
    auto took = lasted ? human_time(*lasted) : std::string{"not ended"};
    auto fixed = 5 + urgency_columns + status_columns + 12;
    auto room = columns() > fixed + 10 ? columns() - fixed : 10;
    auto said = one_line(x.request.input);
    if (name_agent)
      said = one_line(x.request.agent_id) + ": " + said;
    out_ << paint(style_, ink::faint, right(std::to_string(number), 3)) << "  "
         << paint(style_, ink_of_turn(x.result.urgency),
              pad(to_string(x.result.urgency), urgency_columns))
         << paint(style_, ink::bold, padded(said, room)) << "  "
         << paint(style_, ink_of_turn(x.result.status),
              pad(words(to_string(x.result.status)), status_columns))
         << paint(style_, ink::faint, right(took, 9)) << '\n';
    for (const auto& c : x.calls)
      call(c);
    for (const auto& o : x.result.observations)
      noticed(*o);
    for (const auto& question : x.result.questions)
      line("asks", ink::warn, question);
    if (!x.result.response.empty())
      line("answers", ink::faint, x.result.response);
    if (x.compactions > 0)
      line("compacts", ink::accent, count_of(x.compactions, "time"));
    std::istringstream items{x.scratchbook};
    for (std::string item; std::getline(items, item);)
      line("keeps", ink::faint, item);
    out_ << '\n';
  }

  void call(const played_call& x) {
    if (!x.has_answer)
      return line("no answer", ink::warn, x.tool_id + ": the result of the call is not known");
    auto ok = x.status == tool_status::ok || x.status == tool_status::partial;
    auto text = x.tool_id + ": " + words(to_string(x.status)) + ", " + human_time(x.duration_ms);
    if (x.attempts > 1)
      text += ", " + count_of(x.attempts, "attempt");
    if (!x.recovered_by.empty())
      text += ", answered by " + x.recovered_by;
    auto how = !ok ? ink::bad : x.error.empty() ? ink::good : ink::warn;
    line(ok ? "call" : "call fails", how, text);
  }

  /// Prints an observation that the turn added, if it matters to a reader.
  void noticed(const observation& x) {
    if (x.type == "error_alert")
      line("error", ink::bad, x.content);
    else if (x.type == "recovery_plan")
      line("recovery", ink::accent, x.content);
    else if (is_one_of(x.type, {"learning", "pattern_detected"}))
      line("learned", ink::good, x.content);
    else if (is_one_of(x.type, {"alert", "security_alert", "risk_alert"}))
      line("alert", ink::warn, x.content + " (" + percent(x.confidence) + ")");
    else if (x.type == "contextual_insight" || x.type == "action_suggestion")
      line(x.type == "action_suggestion" ? "suggests" : "noticed", ink::accent,
        x.content + " (" + percent(x.confidence) + ")");
    else if (verbose_)
      line("  " + words(x.type), ink::faint, x.content);
  }

  void goals(const std::vector<goal>& all) {
    if (all.empty())
      return;
    out_ << "   " << paint(style_, ink::bold, "Goals") << '\n';
    for (const auto& x : all) {
      auto fixed = 5 + 13 + 12 + 6;
      auto room = columns() > fixed + 24u ? columns() - fixed - 18 : 20;
      auto title = x.title.empty() ? words(x.goal_type) : one_line(x.title);
      out_ << "     " << paint(style_, ink_of_turn(x.status), pad(words(to_string(x.status)), 13))
           << paint(style_, ink_of_turn(x.status), draw_bar(style_, x.progress, 10))
           << right(percent(x.progress), 6) << "  " << padded(title, room) << "  "
           << paint(style_, ink::faint, count_of(x.observation_ids.size(), "observation")) << '\n';
      for (const auto& action : x.pending_actions)
        if (action.status == action_status::pending || action.status == action_status::in_progress)
          line(action.assigned_to == assignee::user ? "  for user" : "  next", ink::faint,
            action.description.empty() ? words(action.action_type) : action.description);
    }
    out_ << '\n';
  }

  void facts(const std::vector<fact>& all) {
    if (all.empty())
      return;
    out_ << "   " << paint(style_, ink::bold, "Facts") << '\n';
    constexpr size_t shown = 12;
    for (size_t i = 0; i < std::min(shown, all.size()); ++i)
      out_ << "     " << right(percent(all[i].confidence), 5) << "  "
           << fit(one_line(all[i].statement), style_.width - 14) << '\n';
    if (all.size() > shown)
      out_ << "            and " << all.size() - shown << " more\n";
    out_ << '\n';
  }

  void unmet(const std::vector<std::string>& all) {
    for (const auto& sentence : all)
      out_ << paint(style_, ink::bad, "   unmet  ") << one_line(sentence) << '\n';
  }

  std::ostream& out_;
  const terminal_style& style_;
  bool verbose_;
};

} // namespace

story_printer::story_printer(std::ostream& out, terminal_style style, story_scope scope)
  : out_{out},
    style_{style},
    scope_{scope} {
  scope_.id_width = std::clamp<size_t>(scope_.id_width, 12, 36);
}

void story_printer::tell(const conversation& played, const play_result& result) {
  ++told_;
  if (in_full())
    return tell_turns(played, result);
  for (const auto& sentence : result.unmet)
    if (unmet_.size() < told_unmet)
      unmet_.push_back(sentence);
  if (told_ <= told_in_a_line)
    tell_line(played, result);
}

void story_printer::tell_turns(const conversation& played, const play_result& result) {
  teller{out_, style_, scope_.verbose}.tell(played, result);
}

void story_printer::tell_line(const conversation& played, const play_result& result) {
  const auto& c = result.counters;
  auto highest = urgency::low;
  for (const auto& turn : result.turns)
    highest = std::max(highest, turn.result.urgency);
  auto errors = count_of(c.tool_errors, "error");
  auto state = !result.unmet.empty()   ? paint(style_, ink::bad, "unmet")
               : c.timed_out_turns > 0 ? paint(style_, ink::bad, "timed out")
               : c.tool_errors > 0
                 ? paint(style_, ink::warn, count_of(c.recovery_plans, "recovery plan"))
                 : "";
  out_ << pad(one_line(played.id), scope_.id_width) << "  "
       << paint(style_, ink_of_turn(highest), pad(to_string(highest), urgency_columns))
       << right(count_of(result.turns.size(), "turn"), 9)
       << right(count_of(c.tool_calls, "call"), 10)
       << (c.tool_errors > 0 ? paint(style_, ink::warn, right(errors, 11)) : right("", 11))
       << right(c.goals > 0 ? count_of(c.goals, "goal") : "", 9) << "  " << state << '\n';
}

void story_printer::tell_end(const run_summary& s) {
  if (told_ > told_in_a_line && !in_full())
    out_ << "and " << told_ - told_in_a_line << " more conversations\n";
  for (const auto& sentence : unmet_)
    out_ << paint(style_, ink::bad, "unmet  ") << one_line(sentence) << '\n';
  if (!in_full())
    out_ << '\n';
  struct figure {
    std::string_view name;
    std::string value;
    ink how = ink::plain;
  };
  auto count = [](uint64_t x) { return std::to_string(x); };
  std::vector<figure> figures{{"conversations", count(s.conversations)}, {"turns", count(s.turns)},
    {"tool calls", count(s.tool_calls)},
    {"tool errors", count(s.tool_errors), s.tool_errors > 0 ? ink::warn : ink::plain},
    {"error alerts", count(s.error_alerts)}, {"recovery plans", count(s.recovery_plans)},
    {"observations", count(s.observations_added)}, {"expired", count(s.expired)},
    {"confirmations", count(s.confirmations)}, {"questions", count(s.questions)},
    {"goals", count(s.goals)}, {"facts", count(s.facts)}, {"trace entries", count(s.trace_entries)},
    {"lost", count(s.lost), s.lost > 0 ? ink::bad : ink::good},
    {"virtual time", human_time(s.virtual_seconds * 1000)}, {"wall time", human_time(s.wall_ms)}};
  if (s.prompts > 0) {
    figures.push_back({"prompts", count(s.prompts)});
    figures.push_back(
      {"over window", count(s.over_window), s.over_window > 0 ? ink::bad : ink::good});
    figures.push_back({"compactions", count(s.compactions)});
    figures.push_back({"texts in files", count(s.evicted_texts)});
    figures.push_back({"history tokens", count(s.offloaded_tokens)});
    figures.push_back({"kept tokens", count(s.kept_tokens)});
    figures.push_back({"forgotten", count(s.forgotten), s.forgotten > 0 ? ink::bad : ink::good});
    figures.push_back({"open todos", count(s.open_todos) + " of " + count(s.todos)});
  }
  if (s.unanswered_calls > 0)
    figures.push_back({"without answer", count(s.unanswered_calls), ink::warn});
  if (s.refused_lines > 0)
    figures.push_back({"refused lines", count(s.refused_lines), ink::bad});
  if (s.timed_out_turns > 0)
    figures.push_back({"timed-out turns", count(s.timed_out_turns), ink::bad});
  if (s.expectations > 0)
    figures.push_back({"expectations",
      count(s.expectations - std::min(s.unmet, s.expectations)) + " of " + count(s.expectations)
        + " met",
      s.unmet > 0 ? ink::bad : ink::good});
  // Column by column, so that related figures stand below each other.
  auto columns = style_.width >= 76 ? 3u : 1u;
  auto rows = (figures.size() + columns - 1) / columns;
  for (size_t row = 0; row < rows; ++row) {
    for (size_t i = row; i < figures.size(); i += rows) {
      auto last = i + rows >= figures.size();
      auto value = last ? figures[i].value : pad(figures[i].value, 10);
      out_ << paint(style_, ink::faint, pad(figures[i].name, figure_columns))
           << paint(style_, figures[i].how, value);
    }
    out_ << '\n';
  }
}

} // namespace scratchpage
