#include "scratchpage/runtime/simulation/report.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/simulation/report_turns.hpp"
#include "scratchpage/runtime/simulation/report_views.hpp"
#include "scratchpage/runtime/web/assets.hpp"

namespace scratchpage {

namespace {

/// The order of the lanes. Other components follow.
constexpr std::array<std::string_view, 17> lane_order{"user", "turns", "router", "clarifier",
  "executor", "consciousness", "tools", "error_handler", "evaluator", "reflector",
  "system_analyzer", "frontal_cortex", "scratch_page", "working_memory", "episodic_memory",
  "semantic_memory", "journal"};

size_t rank_of(const std::string& component) {
  auto i = std::find(lane_order.begin(), lane_order.end(), component);
  return static_cast<size_t>(i - lane_order.begin());
}

/// A list of bounded size. Counts what has no room.
class bounded_list {
public:
  explicit bounded_list(size_t room)
    : room_{room} {}

  void add(json::value x) {
    auto size = full_ ? 0 : to_text(x).size() + 1;
    full_ = full_ || used_ + size > room_;
    if (full_) {
      ++hidden_;
      return;
    }
    used_ += size;
    list_.push_back(std::move(x));
  }

  void hide(size_t count) { hidden_ += count; }
  size_t used() const { return used_; }
  size_t hidden() const { return hidden_; }
  json::array take() { return std::move(list_); }

private:
  size_t room_;
  size_t used_ = 0;
  size_t hidden_ = 0;
  bool full_ = false;
  json::array list_;
};

/// Replaces texts that occur often by numbers.
class word_table {
public:
  size_t index(const std::string& word) {
    auto [i, is_new] = index_.try_emplace(word, words_.size());
    if (is_new)
      words_.emplace_back(word);
    return i->second;
  }

  json::array take() { return std::move(words_); }

private:
  std::map<std::string, size_t> index_;
  json::array words_;
};

/// The data of one conversation for the page's script.
class conversation_data {
public:
  conversation_data(
    const conversation& played, const play_result& result, const report_limits& limits)
    : played_{played},
      result_{result},
      limits_{limits} {
    find_range();
  }

  std::string text(size_t room) {
    report_turns told{result_, limits_of_turns(room / 3), begin_};
    json::object out;
    out["id"] = played_.id;
    out["file"] = played_.file;
    out["start"] = to_rfc3339(begin_);
    out["end"] = short_number(since(end_));
    out["unmet"] = unmet(room / 8);
    // Each part has a share of the room. The marks get what the other parts leave.
    bounded_list goals{room / 6}, facts{room / 12}, turns{room / 3}, observations{room / 5};
    report_views views{room / 6, limits_.text_bytes};
    add_goals(goals);
    add_facts(facts);
    add_turns(turns, told, views);
    add_observations(observations);
    auto used = goals.used() + facts.used() + turns.used() + observations.used() + views.used();
    bounded_list marks{room - std::min(room, used)};
    auto lanes = find_lanes(told.has_calls());
    add_marks(marks, lanes, room - std::min(room, used));
    json::object hidden;
    hidden["goals"] = goals.hidden();
    hidden["facts"] = facts.hidden();
    hidden["turns"] = turns.hidden();
    hidden["views"] = views.hidden();
    hidden["observations"] = observations.hidden();
    hidden["marks"] = marks.hidden();
    out["hidden"] = std::move(hidden);
    out["goals"] = goals.take();
    out["facts"] = facts.take();
    out["turns"] = turns.take();
    out["lines"] = views.take_lines();
    out["views"] = views.take_views();
    out["observations"] = observations.take();
    out["lanes"] = to_json(lanes);
    out["marks"] = marks.take();
    out["words"] = words_.take();
    return escape_script(to_text(out));
  }

private:
  /// Finds the first and the last moment of the conversation.
  void find_range() {
    auto first = timestamp::max();
    auto last = timestamp::min();
    auto note = [&](timestamp at) {
      if (at == timestamp{})
        return;
      first = std::min(first, at);
      last = std::max(last, at);
    };
    for (const auto& entry : result_.trace)
      note(entry.at);
    for (const auto& turn : result_.turns) {
      note(turn.result.started_at);
      note(turn.result.ended_at);
    }
    for (const auto& x : result_.observations)
      note(x->created_at);
    begin_ = first == timestamp::max() ? timestamp{} : first;
    end_ = std::max(begin_, last);
  }

  double since(timestamp at) const { return in_milliseconds(at - begin_); }

  /// With less room for turns, less of each text is shown, so that more turns are.
  report_limits limits_of_turns(size_t room) const {
    constexpr size_t least_bytes = 120;
    auto each = room / (8 * std::max<size_t>(result_.turns.size(), 1));
    auto result = limits_;
    result.said_bytes =
      std::clamp(each, std::min(least_bytes, limits_.said_bytes), limits_.said_bytes);
    return result;
  }

  std::string text_of(const std::string& x) const {
    return utf8::shortened(one_line(x), limits_.text_bytes);
  }

  json::array unmet(size_t room) const {
    bounded_list list{room};
    for (const auto& sentence : result_.unmet)
      list.add(to_json(text_of(sentence)));
    return list.take();
  }

  void add_turns(bounded_list& out, report_turns& told, report_views& views) {
    for (size_t i = 0; i < result_.turns.size(); ++i) {
      const auto& turn = result_.turns[i];
      turn_index_.emplace(turn.request.agent_id + '\n' + turn.result.turn_id, i);
      auto x = told.next();
      if (auto moments = views.moments_of(turn); !moments.empty())
        x["model"] = std::move(moments);
      out.add(std::move(x));
    }
  }

  void add_observations(bounded_list& out) const {
    for (const auto& o : observations_of(result_)) {
      json::object x;
      x["id"] = o->observation_id;
      x["type"] = o->type;
      x["content"] = text_of(o->content);
      x["confidence"] = short_ms(o->confidence);
      x["status"] = to_string(o->status);
      x["by"] = o->source.name;
      x["from"] = short_number(since(o->created_at));
      x["to"] = short_number(since(end_of(*o)));
      if (!o->tags.empty())
        x["tags"] = to_json(o->tags);
      if (!o->linked_goal_ids.empty())
        x["goals"] = to_json(o->linked_goal_ids);
      out.add(std::move(x));
    }
  }

  /// When an observation has left the page, or will.
  static timestamp end_of(const observation& x) {
    if (is_live(x.status) || x.status == status::expired)
      return x.expires_at;
    return std::max(x.updated_at, x.created_at);
  }

  void add_goals(bounded_list& out) const {
    for (const auto& g : result_.goals) {
      json::object x;
      x["id"] = g.goal_id;
      x["type"] = g.goal_type;
      x["title"] = text_of(g.title);
      if (auto user = text_member(g.context, "user_id"); !user.empty())
        x["user"] = text_of(user);
      x["status"] = to_string(g.status);
      x["priority"] = to_string(g.priority);
      x["progress"] = short_ms(g.progress);
      x["observations"] = g.observation_ids.size();
      json::array evidence;
      for (size_t i = 0; i < std::min<size_t>(g.evidence.size(), 8); ++i) {
        json::object e;
        e["id"] = g.evidence[i].observation_id;
        e["content"] = text_of(g.evidence[i].content);
        e["confidence"] = short_ms(g.evidence[i].confidence);
        e["source"] = text_of(g.evidence[i].source);
        evidence.push_back(std::move(e));
      }
      x["evidence"] = std::move(evidence);
      json::array actions;
      for (size_t i = 0; i < std::min<size_t>(g.pending_actions.size(), 8); ++i) {
        const auto& action = g.pending_actions[i];
        json::object a;
        a["text"] = text_of(action.description.empty() ? action.action_type : action.description);
        a["who"] = to_string(action.assigned_to);
        a["status"] = to_string(action.status);
        actions.push_back(std::move(a));
      }
      x["actions"] = std::move(actions);
      out.add(std::move(x));
    }
  }

  void add_facts(bounded_list& out) const {
    for (const auto& f : result_.facts) {
      json::object x;
      x["text"] = text_of(f.statement);
      x["confidence"] = short_ms(f.confidence);
      x["support"] = f.support;
      if (f.valid_until && *f.valid_until <= end_)
        x["over"] = true;
      if (!f.sources.empty())
        x["source"] = text_of(f.sources.back());
      out.add(std::move(x));
    }
  }

  std::vector<std::string> find_lanes(bool has_calls) const {
    std::vector<std::string> lanes;
    for (const auto& entry : result_.trace)
      if (std::find(lanes.begin(), lanes.end(), entry.component) == lanes.end())
        lanes.push_back(entry.component);
    if (has_calls && std::find(lanes.begin(), lanes.end(), "tools") == lanes.end())
      lanes.push_back("tools"); // the bars of the calls need one
    std::stable_sort(lanes.begin(), lanes.end(),
      [](const std::string& x, const std::string& y) { return rank_of(x) < rank_of(y); });
    return lanes;
  }

  /// A mark is `[lane, operation, status, at, duration, turn or -1, detail]`.
  void add_marks(bounded_list& out, const std::vector<std::string>& lanes, size_t room) {
    for (auto i : most_telling(room / 64)) {
      const auto& entry = result_.trace[i];
      auto lane = std::find(lanes.begin(), lanes.end(), entry.component) - lanes.begin();
      auto turn = turn_index_.find(entry.agent_id + '\n' + entry.turn_id);
      json::array x{lane, words_.index(entry.operation), words_.index(entry.status),
        short_number(since(entry.at)), short_number(entry.duration_ms),
        turn == turn_index_.end() ? -1 : static_cast<int64_t>(turn->second)};
      if (!entry.detail.empty())
        x.push_back(
          to_json(utf8::shortened(one_line(to_text(entry.detail)), limits_.detail_bytes)));
      out.add(std::move(x));
    }
    out.hide(result_.trace.size() - std::min(result_.trace.size(), std::max<size_t>(room / 64, 1)));
  }

  /// Chooses at most `count` entries, in their order. Errors come first, then entries of daemons,
  /// then those of the page.
  std::vector<size_t> most_telling(size_t count) const {
    const auto& trace = result_.trace;
    std::vector<size_t> chosen(trace.size());
    std::iota(chosen.begin(), chosen.end(), size_t{0});
    count = std::max<size_t>(count, 1);
    if (chosen.size() <= count)
      return chosen;
    auto weight = [&trace](size_t i) {
      return trace[i].status != "success" ? 0 : trace[i].component != "scratch_page" ? 1 : 2;
    };
    std::stable_sort(
      chosen.begin(), chosen.end(), [&](size_t x, size_t y) { return weight(x) < weight(y); });
    chosen.resize(count);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }

  const conversation& played_;
  const play_result& result_;
  const report_limits& limits_;
  timestamp begin_;
  timestamp end_;
  word_table words_;
  std::map<std::string, size_t> turn_index_;
};

urgency highest_urgency(const play_result& result) {
  auto highest = urgency::low;
  for (const auto& turn : result.turns)
    highest = std::max(highest, turn.result.urgency);
  return highest;
}

/// A row of the list of conversations.
json::array index_row(const conversation& played, const play_result& result) {
  const auto& c = result.counters;
  auto input = result.turns.empty() ? std::string{} : result.turns.front().request.input;
  return {to_json(played.id), result.turns.size(), c.tool_calls, c.tool_errors, c.goals,
    result.unmet.size(), to_json(to_string(highest_urgency(result))),
    to_json(utf8::shortened(one_line(input), 100)), open_questions(result)};
}

std::string tile(std::string_view name, const std::string& value, std::string_view kind = "") {
  std::string result = "<div class=\"tile ";
  result.append(kind).append("\"><b>").append(value).append("</b><span>");
  return result.append(name).append("</span></div>\n");
}

std::string tiles(const run_summary& s) {
  auto count = [](uint64_t x) { return std::to_string(x); };
  std::string result;
  result += tile("conversations", count(s.conversations));
  result += tile("turns", count(s.turns), s.timed_out_turns > 0 ? "warn" : "");
  result += tile("tool calls", count(s.tool_calls));
  result += tile("tool errors", count(s.tool_errors), s.tool_errors > 0 ? "warn" : "");
  if (s.unanswered_calls > 0)
    result += tile("without answer", count(s.unanswered_calls), "warn");
  if (s.refused_lines > 0)
    result += tile("refused lines", count(s.refused_lines), "bad");
  result += tile("recovery plans", count(s.recovery_plans));
  result += tile("observations", count(s.observations_added));
  result += tile("goals", count(s.goals));
  result += tile("facts", count(s.facts));
  result += tile("questions", count(s.questions));
  result += tile("expired", count(s.expired));
  result += tile("lost", count(s.lost), s.lost > 0 ? "bad" : "");
  result += tile("trace entries", count(s.trace_entries));
  if (s.prompts > 0) {
    result += tile("prompts", count(s.prompts));
    result += tile("over window", count(s.over_window), s.over_window > 0 ? "bad" : "good");
    result += tile("compactions", count(s.compactions));
    result += tile("forgotten", count(s.forgotten), s.forgotten > 0 ? "bad" : "good");
    result += tile("open todos", count(s.open_todos) + " of " + count(s.todos));
  }
  result += tile("virtual time", human_time(s.virtual_seconds * 1000));
  result += tile("wall time", human_time(s.wall_ms));
  if (s.expectations > 0)
    result +=
      tile("unmet", count(s.unmet) + " / " + count(s.expectations), s.unmet > 0 ? "bad" : "good");
  return result;
}

std::string script_element(const std::string& id, const std::string& data) {
  return "<script type=\"application/json\" id=\"" + id + "\">" + data + "</script>\n";
}

} // namespace

std::string escape_html(std::string_view text) {
  std::string result;
  for (auto c : text) {
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    case '\'':
      result += "&#39;";
      break;
    default:
      result += c;
    }
  }
  return result;
}

std::string escape_script(std::string_view text) {
  // JSON has these characters only in strings, where \u00xx means the same.
  std::string result;
  result.reserve(text.size());
  for (auto c : text) {
    if (c == '<')
      result += "\\u003c";
    else if (c == '>')
      result += "\\u003e";
    else if (c == '&')
      result += "\\u0026";
    else
      result += c;
  }
  return result;
}

report::report(size_t conversations, report_limits limits)
  : limits_{limits},
    share_{std::clamp<size_t>(
      limits.total_bytes / std::clamp<size_t>(conversations, 1, limits.conversations), 600,
      limits.conversation_bytes)} {
  // nop
}

void report::add(const conversation& played, const play_result& result) {
  if (data_.size() >= limits_.conversations) {
    ++left_out_;
    return;
  }
  conversation_data data{played, result, limits_};
  index_.push_back(index_row(played, result));
  data_.push_back(data.text(share_));
}

std::string report::html(
  const std::string& title, const std::string& subtitle, const run_summary& summary) const {
  std::string out{report_page::head};
  out += "<title>" + escape_html(title) + "</title>\n<style>\n";
  out.append(embedded::theme_css).append(embedded::report_css);
  out.append("</style>\n</head>\n<body>\n<header class=\"top\">\n");
  out += "<p class=\"brand\">scratchpage</p>\n<h1>" + escape_html(title) + "</h1>\n";
  out += "<p class=\"muted\">" + escape_html(subtitle) + "</p>\n";
  out += "<div class=\"tiles\">\n" + tiles(summary) + "</div>\n</header>\n";
  out += section_;
  out += report_page::body;
  if (left_out_ > 0)
    out += "<p class=\"muted note\">" + std::to_string(left_out_)
           + " more conversations are not shown.</p>\n";
  out += "</main>\n" + script_element("index", escape_script(to_text(index_)));
  for (size_t i = 0; i < data_.size(); ++i)
    out += script_element("c" + std::to_string(i), data_[i]);
  out += "<script type=\"module\">\n";
  out.append(embedded::drawing_js)
    .append(embedded::markdown_js)
    .append(embedded::report_js)
    .append("</script>\n</body>\n</html>\n");
  return out;
}

} // namespace scratchpage
