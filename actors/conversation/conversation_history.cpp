#include "scratchpage/actors/conversation/conversation_history.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "scratchpage/messages/text/escaped_text.hpp"

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

size_t conversation_history::oldest_beyond(uint64_t most) const {
  auto left = tokens_;
  size_t end = 0;
  while (left > most) {
    do
      left -= costs_[end++];
    while (end < messages_.size() && messages_[end].role == chat_role::tool);
  }
  return end;
}

std::vector<chat_message> conversation_history::take_oldest(uint64_t most) {
  std::vector<chat_message> taken;
  for (auto count = oldest_beyond(most); count > 0; --count) {
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

} // namespace scratchpage
