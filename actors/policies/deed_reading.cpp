#include "scratchpage/actors/policies/deed_reading.hpp"

#include <algorithm>
#include <set>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/output_reading.hpp"

namespace scratchpage {

namespace {

using word_set = std::set<std::string, std::less<>>;

/// Verbs of looking. The first verb of an id decides, so "get_order" looks.
const word_set& looking() {
  static const word_set result{"find", "search", "get", "list", "check", "lookup", "look", "query",
    "fetch", "read", "show", "view", "browse", "retrieve", "describe", "inspect", "scan", "count",
    "calculate", "compute", "compare", "estimate", "predict", "forecast", "track", "locate",
    "translate", "explain", "summarize", "summarise", "analyze", "analyse", "ask", "think",
    "verify", "validate", "test", "ping", "measure", "detect", "recommend", "suggest", "preview",
    "explore", "discover", "quote", "convert", "grep", "cat", "ls", "select", "resolve", "monitor",
    "watch", "diff", "tell", "is", "has", "can", "peek", "head", "suche", "buscar", "chercher",
    "see", "parse", "extract", "classify", "transcribe", "evaluate", "review", "audit", "info"};
  return result;
}

const word_set& changing() {
  static const word_set result{"book", "reserve", "buy", "purchase", "order", "send", "pay", "play",
    "create", "delete", "remove", "schedule", "cancel", "update", "add", "set", "write", "post",
    "put", "insert", "make", "transfer", "wire", "charge", "refund", "submit", "publish", "deploy",
    "start", "stop", "restart", "run", "execute", "install", "uninstall", "upload", "download",
    "move", "copy", "rename", "open", "close", "lock", "unlock", "turn", "switch", "enable",
    "disable", "register", "unregister", "subscribe", "unsubscribe", "sign", "enroll", "join",
    "leave", "assign", "invite", "share", "modify", "change", "edit", "exchange", "return",
    "request", "rent", "hire", "ship", "print", "mail", "email", "call", "dial", "text", "message",
    "notify", "remind", "alert", "reply", "forward", "commit", "push", "merge", "release",
    "approve", "reject", "accept", "confirm", "checkout", "donate", "sell", "trade", "deposit",
    "withdraw", "apply", "clean", "vacuum", "wash", "cook", "brew", "heat", "cool", "dim", "arm",
    "disarm", "drive", "navigate", "grasp", "pick", "place", "lift", "save", "store", "archive",
    "restore", "backup", "reset", "clear", "block", "unblock", "mute", "pause", "resume", "skip",
    "stream", "record", "upgrade", "downgrade", "migrate", "provision", "terminate", "kill", "drop",
    "truncate", "grant", "revoke", "activate", "deactivate", "redeem", "renew", "extend",
    "reschedule", "rebook", "issue", "dispatch", "prescribe", "administer", "report", "file",
    "rollback", "scale", "launch", "attach", "detach", "import", "export", "sync", "format"};
  return result;
}

/// Nouns for something to look at, where an id has no verb.
const word_set& sights() {
  static const word_set result{"weather", "forecast", "status", "info", "information", "history",
    "price", "prices", "rate", "rates", "quote", "details", "balance", "statistics", "stats",
    "availability", "catalog", "catalogue", "directory", "dictionary", "news", "wiki", "map",
    "maps", "calculator", "log", "logs", "metrics", "report", "almanac", "cache", "schema"};
  return result;
}

/// Verbs that are nouns as well: "mail_search" looks for mails.
const word_set& nouns() {
  static const word_set result{"mail", "email", "message", "text", "call", "order", "book", "file",
    "post", "report", "record", "trade", "share", "request", "release", "store", "print", "stream"};
  return result;
}

/// Whether the word at `i` is what is looked at by a verb after it.
bool is_object(const std::vector<std::string>& words, size_t i) {
  return nouns().contains(words[i])
         && std::any_of(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end(),
           [](const auto& word) { return looking().contains(word); });
}

bool has_sight(const std::vector<std::string>& words) {
  return std::any_of(
    words.begin(), words.end(), [](const auto& word) { return sights().contains(word); });
}

bool is_upper_case(char c) {
  return c >= 'A' && c <= 'Z';
}

bool is_lower_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

} // namespace

std::vector<std::string> words_of_id(std::string_view tool_id) {
  std::string spaced;
  for (size_t i = 0; i < tool_id.size(); ++i) {
    auto after_lower = i > 0 && is_lower_or_digit(tool_id[i - 1]);
    auto ends_acronym = i > 0 && is_upper_case(tool_id[i - 1]) && i + 1 < tool_id.size()
                        && is_lower_or_digit(tool_id[i + 1]);
    if (is_upper_case(tool_id[i]) && (after_lower || ends_acronym))
      spaced += ' ';
    spaced += tool_id[i];
  }
  return words_of(spaced);
}

std::optional<bool> changes_by_name(std::string_view tool_id) {
  auto words = words_of_id(tool_id);
  for (size_t i = 0; i < words.size(); ++i) {
    if (looking().contains(words[i]) || is_object(words, i))
      return false;
    if (changing().contains(words[i]))
      return true;
  }
  return has_sight(words) ? std::optional{false} : std::nullopt;
}

bool surely_looks(std::string_view tool_id) {
  auto words = words_of_id(tool_id);
  auto first = words.empty() ? std::string{} : words.front();
  return has_sight(words) || (first != "get" && looking().contains(first));
}

deed read_deed(std::string_view tool_id, const json::object& inputs, const json::object& outputs,
  std::optional<bool> idempotent) {
  deed result;
  auto by_name = changes_by_name(tool_id);
  if (!by_name)
    // A method may stand in the inputs: {"method": "POST"}, {"action": "delete"}.
    for (auto key : {"method", "action", "operation", "command"})
      if (const auto* value = inputs.if_contains(key);
          value != nullptr && value->is_string() && !by_name)
        by_name = changes_by_name(std::string_view{value->get_string()});
  result.changes = by_name ? *by_name : idempotent && !*idempotent;
  auto found = read_outputs(outputs).finding;
  result.succeeded = found == output_finding::fine || found == output_finding::silent
                     || (found == output_finding::empty && !result.changes);
  return result;
}

} // namespace scratchpage
