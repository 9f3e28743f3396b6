#include "scratchpage/actors/conversation/thread_conversation.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/persistence/files/file_name.hpp"

namespace scratchpage {

namespace {

void append_quotation(std::string& to, std::string_view text) {
  while (!text.empty()) {
    auto end = std::min(text.find('\n'), text.size());
    to.append("> ").append(escaped(text.substr(0, end))).append("\n");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void append_markdown(std::string& to, const chat_message& x) {
  to.append("## ").append(name_of(x.role));
  if (!x.name.empty())
    to.append(" ").append(escaped(x.name));
  if (!x.call_id.empty())
    to.append(" (").append(escaped(x.call_id)).append(")");
  to += "\n\n";
  append_quotation(to, x.content);
  for (const auto& call : x.calls)
    to.append("- calls ")
      .append(escaped(call.name))
      .append(" (")
      .append(escaped(call.id))
      .append("): ")
      .append(escaped(call.arguments))
      .append("\n");
  to += "\n";
}

std::string results_folder(std::string_view thread_id) {
  return "tool_results/" + file_name_for(thread_id) + "/";
}

} // namespace

uint32_t tokens_of(const chat_message& x, const token_counter& count) {
  constexpr uint64_t around = 4; // role and separators, in common formats
  auto total = around + count(x.content) + count(x.call_id) + count(x.name);
  for (const auto& call : x.calls)
    total += around + count(call.id) + count(call.name) + count(call.arguments);
  return static_cast<uint32_t>(std::min<uint64_t>(total, std::numeric_limits<uint32_t>::max()));
}

void conversation_history::add(chat_message x) {
  costs_.push_back(tokens_of(x, count_));
  tokens_ += costs_.back();
  messages_.push_back(std::move(x));
}

size_t conversation_history::oldest_beyond(uint64_t max_tokens) const {
  auto left = tokens_;
  size_t end = 0;
  while (left > max_tokens) {
    do
      left -= costs_[end++];
    while (end < messages_.size() && messages_[end].role == chat_role::tool);
  }
  return end;
}

std::vector<chat_message> conversation_history::take_oldest(uint64_t max_tokens) {
  std::vector<chat_message> taken;
  for (auto count = oldest_beyond(max_tokens); count > 0; --count) {
    tokens_ -= costs_.front();
    costs_.pop_front();
    taken.push_back(std::move(messages_.front()));
    messages_.pop_front();
  }
  return taken;
}

void conversation_history::put_back(std::vector<chat_message> xs) {
  for (auto i = xs.rbegin(); i != xs.rend(); ++i) {
    costs_.push_front(tokens_of(*i, count_));
    tokens_ += costs_.front();
    messages_.push_front(std::move(*i));
  }
}

std::string to_markdown(const std::vector<chat_message>& xs) {
  std::string result;
  for (const auto& x : xs)
    append_markdown(result, x);
  return result;
}

std::string log_path(std::string_view thread_id) {
  return "conversations/" + file_name_for(thread_id) + ".jsonl";
}

std::string history_path(std::string_view thread_id) {
  return "conversation_history/" + file_name_for(thread_id) + ".md";
}

std::string result_path(std::string_view thread_id, std::string_view text) {
  return results_folder(thread_id) + file_name_of_content(text) + ".txt";
}

bool is_of_conversation(std::string_view path, std::string_view thread_id) {
  if (check_file_path(path))
    return false;
  return path == history_path(thread_id) || path.starts_with(results_folder(thread_id));
}

std::string to_line(const chat_message& x) {
  return to_text(to_json(x)) + "\n";
}

caf::expected<read_log> from_lines(std::string_view text) {
  read_log result;
  for (auto number = 1; !text.empty(); ++number) {
    auto end = text.find('\n');
    if (end == std::string_view::npos) {
      result.is_torn = true;
      break;
    }
    auto message = from_json_text<chat_message>(text.substr(0, end), {.max_bytes = text.size()});
    if (!message)
      return fail(errc::internal, "line " + std::to_string(number), describe(message.error()));
    result.messages.push_back(std::move(*message));
    text.remove_prefix(end + 1);
  }
  return result;
}

// -- the conversation of one thread ---------------------------------------------------------

void thread_conversation::open(read_log stored) {
  for (auto& message : stored.messages)
    history_.add(std::move(message));
  is_stale_ = stored.is_torn;
  is_open_ = true;
}

std::string thread_conversation::lines() const {
  std::string result;
  for (const auto& message : messages())
    result += to_line(message);
  return result;
}

/// The messages are in prompts all the same, and are stored with the next request.
void thread_conversation::note_not_stored(const caf::error& why) {
  is_stale_ = true;
  note_failure(why);
}

std::string thread_conversation::add(std::vector<chat_message> xs) {
  std::string result;
  for (auto& message : xs) {
    result += to_line(message);
    history_.add(std::move(message));
  }
  return result;
}

std::string thread_conversation::last_words() const {
  const auto& all = messages();
  auto is_user = [](const chat_message& m) { return m.role == chat_role::user; };
  auto last = std::find_if(all.rbegin(), all.rend(), is_user);
  return last == all.rend() ? std::string{} : last->content;
}

model_prompt thread_conversation::prompt(system_prompt system, uint64_t room) const {
  model_prompt result;
  result.hidden = history_.oldest_beyond(room);
  result.messages.assign(
    messages().begin() + static_cast<ptrdiff_t>(result.hidden), messages().end());
  result.tokens = system.tokens;
  for (const auto& message : result.messages)
    result.tokens += tokens_of(message, count_);
  result.system = std::move(system.text);
  return result;
}

void thread_conversation::note_offloaded(const std::vector<chat_message>& xs) {
  is_stale_ = true; // the log still has the offloaded messages
  ++stats_.compactions;
  stats_.offloaded += xs.size();
  for (const auto& message : xs)
    stats_.offloaded_tokens += tokens_of(message, count_);
}

void thread_conversation::put_back(std::vector<chat_message> xs, const caf::error& why) {
  history_.put_back(std::move(xs));
  note_failure(why);
}

conversation_stats thread_conversation::stats() const {
  auto result = stats_;
  result.messages = messages().size();
  result.tokens = tokens();
  return result;
}

void thread_conversation::note_failure(const caf::error& why) {
  stats_.failure = describe(why);
}

} // namespace scratchpage
