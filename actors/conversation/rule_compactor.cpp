#include "scratchpage/actors/conversation/rule_compactor.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/actors/policies/recovery_policy.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

/// At most so many bytes of the text, with each run of white space replaced by one blank.
std::string quote(std::string_view text, size_t bytes) {
  std::string result;
  auto blank = false;
  while (!text.empty() && result.size() <= bytes) {
    auto next = utf8::first_character(text);
    if (utf8::is_white_space(next.code)) {
      blank = !result.empty();
    } else {
      if (std::exchange(blank, false))
        result += ' ';
      result.append(next.valid ? text.substr(0, next.bytes) : "?");
    }
    text.remove_prefix(next.bytes);
  }
  return utf8::shortened(result, bytes);
}

/// The last sentence that ends with a question mark, or "".
std::string_view question_in(std::string_view text) {
  auto end = text.rfind('?');
  if (end == std::string_view::npos)
    return {};
  auto begin = end == 0 ? std::string_view::npos : text.find_last_of(".!?\n", end - 1);
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  return text.substr(begin, end + 1 - begin);
}

/// The number of messages in a summary's title; 0 if somebody has overwritten it.
uint64_t number_at_the_beginning(const std::string& title) {
  uint64_t result = 0;
  std::from_chars(title.data(), title.data() + title.size(), result);
  return result;
}

item_draft todo(std::string title, std::vector<std::string> tags) {
  item_draft result;
  result.kind = item_kind::todo;
  result.title = std::move(title);
  result.tags = std::move(tags);
  return result;
}

constexpr std::string_view question_of_user = "Answer the user: ";
constexpr std::string_view question_to_user = "The user has yet to answer: ";
constexpr std::string_view request_of_user = "Go on with: "; // of earlier versions
constexpr std::string_view confirmation = "Get the user's answer: ";
constexpr std::string_view failed_words = " failed: ";

bool begins(const scratchbook_item& x, std::string_view beginning) {
  return x.title.starts_with(beginning);
}

/// The calls of one tool.
struct tool_story {
  uint32_t calls = 0;
  bool has_answer = false;
  std::optional<std::string> failure; ///< of its last call
  std::vector<std::string> tried;     ///< arguments that failed, each once
};

class compaction {
public:
  compaction(const compact_messages& x, const rule_compactor_config& config)
    : x_{x},
      config_{config} {
    for (const auto* part : {&x.offloaded, &x.kept})
      for (const auto& message : *part)
        all_.push_back(&message);
  }

  std::vector<std::string> closed() const {
    auto tools = tell_tools();
    auto open = open_question();
    std::vector<std::string> result;
    for (const auto& item : x_.scratchbook.items)
      if (may_be_closed(item) && is_closed(item, tools, open))
        result.push_back(item.id);
    return result;
  }

  compaction_plan plan() {
    auto tools = tell_tools();
    find_summary();
    summarize(tools);
    add_questions();
    for (const auto& one : x_.pending)
      if (one) {
        auto draft = todo(std::string{confirmation} + brief(one->content), {"confirmation"});
        draft.observation_id = one->observation_id;
        add(std::move(draft));
      }
    for (const auto& [name, story] : tools)
      if (story.failure)
        add_failure(name, story);
    for (const auto& one : x_.goals)
      add_goal(one);
    return std::move(plan_);
  }

private:
  std::string brief(std::string_view text) const { return quote(text, config_.max_quoted_bytes); }

  /// Adds a next action, unless an open item or another action is the same, or there are enough.
  void add(item_draft draft) {
    auto is_same = [&](const auto& item) {
      return item.kind == draft.kind && item.title == draft.title;
    };
    const auto& items = x_.scratchbook.items;
    auto is_open_already = std::any_of(items.begin(), items.end(),
      [&](const auto& item) { return is_open(item.status) && is_same(item); });
    auto& actions = plan_.next_actions;
    if (is_open_already || std::any_of(actions.begin(), actions.end(), is_same)
        || actions.size() >= config_.max_actions)
      return;
    actions.push_back(std::move(draft));
  }

  std::map<std::string, tool_story> tell_tools() const {
    std::map<std::string, const chat_call*> open;
    std::map<std::string, tool_story> result;
    for (const auto* message : all_) {
      for (const auto& call : message->calls) {
        open[call.id] = &call;
        ++result[call.name].calls;
      }
      auto call = open.find(message->call_id);
      if (message->role != chat_role::tool || call == open.end())
        continue;
      auto& story = result[call->second->name];
      story.has_answer = true;
      story.failure = failure_in(message->content);
      auto tried = brief(call->second->arguments);
      if (story.failure
          && std::find(story.tried.begin(), story.tried.end(), tried) == story.tried.end())
        story.tried.push_back(std::move(tried));
    }
    return result;
  }

  void find_summary() {
    for (const auto& item : x_.scratchbook.items)
      if (is_open(item.status) && contains(item.tags, summary_tag)) {
        plan_.summary_id = item.id;
        offloaded_before_ = number_at_the_beginning(item.title);
      }
  }

  void summarize(const std::map<std::string, tool_story>& tools) {
    auto& note = plan_.summary;
    note.kind = item_kind::note;
    note.title = std::to_string(offloaded_before_ + x_.offloaded.size())
                 + " earlier messages are in " + x_.path;
    note.tags = {summary_tag};
    std::vector<std::string> asked; // the last first
    for (auto i = x_.offloaded.rbegin(); i != x_.offloaded.rend(); ++i)
      if (i->role == chat_role::user && !i->content.empty() && asked.size() < config_.max_asked)
        asked.push_back(brief(i->content));
    std::reverse(asked.begin(), asked.end());
    std::vector<std::string> called;
    called.reserve(tools.size());
    for (const auto& [name, story] : tools)
      called.push_back(brief(name) + " " + std::to_string(story.calls) + "x");
    if (!asked.empty())
      note.body = "The user said: " + joined(asked, "; ") + ".";
    if (!called.empty())
      note.body += (note.body.empty() ? "" : " ") + ("Tools called: " + joined(called, ", ") + ".");
  }

  /// The last message with words, or null.
  const chat_message* last_words() const {
    auto has_words = [](const chat_message* m) {
      return m->role != chat_role::tool && !m->content.empty();
    };
    auto last = std::find_if(all_.rbegin(), all_.rend(), has_words);
    return last == all_.rend() ? nullptr : *last;
  }

  /// The title of the todo for the question that the last message asks, or "".
  std::string open_question() const {
    const auto* last = last_words();
    auto question = last == nullptr ? std::string_view{} : question_in(last->content);
    if (question.empty())
      return {};
    auto is_users = last->role == chat_role::user;
    return std::string{is_users ? question_of_user : question_to_user} + brief(question);
  }

  void add_questions() {
    if (auto title = open_question(); !title.empty())
      add(todo(std::move(title), {"question"}));
  }

  bool is_pending(const std::string& observation_id) const {
    return std::any_of(x_.pending.begin(), x_.pending.end(), [&](const observation_ptr& one) {
      return one && one->observation_id == observation_id && is_live(one->status);
    });
  }

  bool has_ended(const std::string& goal_id) const {
    return std::any_of(x_.goals.begin(), x_.goals.end(),
      [&](const goal& one) { return one.goal_id == goal_id && is_over(one); });
  }

  bool is_closed(const scratchbook_item& item, const std::map<std::string, tool_story>& tools,
    const std::string& open) const {
    if (contains(item.tags, "goal"))
      return has_ended(item.goal_id);
    if (contains(item.tags, "confirmation"))
      return !is_pending(item.observation_id);
    if (contains(item.tags, "failed_tool"))
      return std::any_of(tools.begin(), tools.end(), [&](const auto& tool) {
        return tool.second.has_answer && !tool.second.failure
               && begins(item, brief(tool.first) + std::string{failed_words});
      });
    return last_words() != nullptr && item.title != open;
  }

  void add_failure(const std::string& name, const tool_story& story) {
    auto draft =
      todo(brief(name) + std::string{failed_words} + brief(*story.failure), {"failed_tool"});
    for (const auto& x : story.tried)
      draft.body += (draft.body.empty() ? "Tried: " : "; ") + x;
    draft.body = utf8::shortened(draft.body, size_t{8} * config_.max_quoted_bytes);
    add(std::move(draft));
  }

  void add_goal(const goal& x) {
    if (is_over(x))
      return;
    const auto& items = x_.scratchbook.items;
    auto is_linked = [&](const auto& item) {
      return is_open(item.status) && item.goal_id == x.goal_id;
    };
    if (std::any_of(items.begin(), items.end(), is_linked))
      return;
    auto draft =
      todo("Reach the goal: " + brief(x.title.empty() ? x.goal_type : x.title), {"goal"});
    draft.goal_id = x.goal_id;
    add(std::move(draft));
  }

  const compact_messages& x_;
  const rule_compactor_config& config_;
  std::vector<const chat_message*> all_;
  uint64_t offloaded_before_ = 0;
  compaction_plan plan_;
};

bool is_summary(const scratchbook& in, const std::string& id) {
  auto is_it = [&](const scratchbook_item& x) {
    return x.id == id && is_open(x.status)
           && std::find(x.tags.begin(), x.tags.end(), summary_tag) != x.tags.end();
  };
  return std::any_of(in.items.begin(), in.items.end(), is_it);
}

} // namespace

compaction_plan compact_by_rules(const compact_messages& x, const rule_compactor_config& config) {
  return compaction{x, config}.plan();
}

std::vector<std::string> closed_todos(
  const compact_messages& x, const rule_compactor_config& config) {
  return compaction{x, config}.closed();
}

bool may_be_closed(const scratchbook_item& x) {
  if (x.kind != item_kind::todo || !is_open(x.status))
    return false;
  return (contains(x.tags, "goal") && !x.goal_id.empty())
         || (contains(x.tags, "confirmation") && begins(x, confirmation))
         || (contains(x.tags, "failed_tool") && x.title.find(failed_words) != std::string::npos)
         || (contains(x.tags, "question")
             && (begins(x, question_of_user) || begins(x, question_to_user)))
         || (contains(x.tags, "request") && begins(x, request_of_user));
}

compaction_plan sanitize_plan(compaction_plan x, const scratchbook& in, uint32_t max_actions) {
  if (!is_summary(in, x.summary_id))
    x.summary_id.clear();
  x.summary.kind = item_kind::note;
  x.summary.status.reset();
  x.summary.tags.emplace_back(summary_tag);
  if (x.next_actions.size() > max_actions)
    x.next_actions.resize(max_actions);
  std::erase_if(x.pins, [&](uint32_t i) { return i >= x.next_actions.size(); });
  return x;
}

} // namespace scratchpage
