#include "scratchpage/runtime/models/reply_store.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_text.hpp"

namespace scratchpage::models {

namespace {

constexpr size_t key_digits = 32;

bool is_key(std::string_view x) {
  return x.size() == key_digits
         && x.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// One line of the file.
struct kept_reply {
  std::string key;
  std::string daemon;
  chat_reply reply;

  static constexpr auto fields(auto all) {
    using self = kept_reply;
    return all(required("key", &self::key), required("daemon", &self::daemon),
      required("reply", &self::reply));
  }
};

caf::error in_line(size_t number, const std::string& why) {
  return fail(errc::invalid_request, "line " + std::to_string(number), why);
}

} // namespace

caf::error reply_store::read(std::string_view text) {
  if (text.size() > reply_store_limits::file_bytes)
    return fail(errc::invalid_request, "",
      "expected at most " + std::to_string(reply_store_limits::file_bytes) + " bytes");
  size_t number = 0;
  while (!text.empty()) {
    auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos)
      continue;
    if (auto err = read_line(line, number))
      return err;
  }
  return {};
}

caf::error reply_store::read_line(std::string_view line, size_t number) {
  auto one = from_json_text<kept_reply>(line, {.max_bytes = 2 * model_limits::answer_bytes});
  if (!one)
    return in_line(number, describe(one.error()));
  if (!is_key(one->key))
    return in_line(number, "expected 32 hexadecimal digits as the key");
  std::lock_guard lock{guard_};
  if (replies_.size() >= reply_store_limits::replies)
    return in_line(
      number, "expected at most " + std::to_string(reply_store_limits::replies) + " replies");
  if (!replies_.try_emplace(one->key, entry{one->daemon, std::move(one->reply)}).second)
    return in_line(number, "expected each key once, got " + one->key + " again");
  return {};
}

std::optional<chat_reply> reply_store::find(const std::string& key) const {
  std::lock_guard lock{guard_};
  auto found = replies_.find(key);
  return found == replies_.end() ? std::nullopt : std::optional{found->second.reply};
}

void reply_store::keep(const std::string& key, const std::string& daemon, const chat_reply& x) {
  std::lock_guard lock{guard_};
  if (replies_.size() < reply_store_limits::replies)
    has_grown_ = replies_.try_emplace(key, entry{daemon, x}).second || has_grown_;
}

std::string reply_store::text() const {
  std::lock_guard lock{guard_};
  std::string result;
  for (const auto& [key, x] : replies_)
    result += to_text(to_json(kept_reply{key, x.daemon, x.reply})) + "\n";
  return result;
}

size_t reply_store::size() const {
  std::lock_guard lock{guard_};
  return replies_.size();
}

bool reply_store::has_grown() const {
  std::lock_guard lock{guard_};
  return has_grown_;
}

} // namespace scratchpage::models
