#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/chat.hpp"
#include "scratchpage/messages/text/token_estimate.hpp"

namespace scratchpage {

/// What a message costs in a prompt: what it says, and some tokens around it.
uint32_t tokens_of(const chat_message& x, const token_counter& count);

/// The messages of a conversation that its model still sees, and what they cost.
class conversation_history {
public:
  explicit conversation_history(token_counter count = estimate_tokens)
    : count_{std::move(count)} {}

  void add(chat_message x);

  uint64_t tokens() const { return tokens_; }
  const std::deque<chat_message>& messages() const { return messages_; }

  /// Takes the oldest away, so that what stays costs at most so many tokens, and
  /// gives them. A call and its answers go together, since a model's interface
  /// refuses one without the other.
  std::vector<chat_message> take_oldest(uint64_t most);

  /// The same without taking them: how many it would be.
  size_t oldest_beyond(uint64_t most) const;

  /// Puts what was taken last before the others again.
  void put_back(std::vector<chat_message> xs);

private:
  token_counter count_;
  std::deque<chat_message> messages_;
  std::deque<uint32_t> costs_;
  uint64_t tokens_ = 0;
};

/// Messages as they are written down for people and models: Markdown, each under a
/// heading, what was said in quotation, so that nobody's text passes for a heading.
std::string to_markdown(const std::vector<chat_message>& xs);

} // namespace scratchpage
