#include "scratchpage/runtime/simulation/transcript.hpp"

#include <map>
#include <set>
#include <utility>

#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/main_thread.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/simulation/conversation_reader.hpp"
#include "scratchpage/runtime/simulation/transcript_entries.hpp"

namespace scratchpage {

namespace {

bool is_message(const json::value& x) {
  return x.is_object() && member_of(x.get_object(), "role") != nullptr
         && member_of(x.get_object(), "messages") == nullptr;
}

/// Reads the entries of a file one after the other.
class transcript_reader {
public:
  transcript_reader(std::string_view file, const conversation_sink& sink)
    : file_{file},
      sink_{sink} {}

  void read(std::string_view text, size_t line) {
    if (text.size() > transcript_limits::line_bytes)
      return notices_.refuse(bad_input(file_, line, "",
        "expected a conversation of at most " + std::to_string(transcript_limits::line_bytes >> 20)
          + " MiB"));
    auto value = parse_input(text, file_, line);
    if (!value)
      return notices_.refuse(value.error());
    if (!value->is_array() || value->get_array().empty() || is_message(value->get_array().front()))
      return read_conversation(*value, line);
    for (const auto& x : value->get_array())
      read_conversation(x, line);
  }

  caf::expected<input_notices> take() {
    if (read_ > 0)
      return std::move(notices_);
    if (notices_.count() == 0)
      return bad_input(file_, 0, "", "expected at least one conversation, but the file has none");
    return notices_.first();
  }

private:
  void read_conversation(const json::value& in, size_t line) {
    conversation next;
    auto wanted = wanted_name(in, line);
    auto id = unique(wanted);
    next.id = id;
    next.file = file_;
    next.agents = {next.id};
    conversation_reader reader{file_, line, notices_};
    auto err = reader.read(in, next);
    if (!err)
      err = sink_(std::move(next), line, in);
    if (err) {
      ids_.erase(id);
      return notices_.refuse(err);
    }
    if (wanted != id && in.is_object() && member_of(in.get_object(), "id") != nullptr)
      note_repeated(wanted, id, line);
    ++read_;
  }

  /// The name that a conversation asks for: its id, which may be a number, or else that of its
  /// line.
  static std::string wanted_name(const json::value& in, size_t line) {
    if (in.is_object())
      if (const auto* id = member_of(in.get_object(), "id"); id != nullptr) {
        if (id->is_string() && !utf8::is_blank(text_of(in.get_object(), "id")))
          return std::string{text_of(in.get_object(), "id")};
        if (id->is_int64() || id->is_uint64())
          return to_text(*id);
      }
    return "line_" + std::to_string(line);
  }

  /// A name that was used before gets "#2", "#3" and so on.
  std::string unique(const std::string& name) {
    auto result = name;
    for (auto& n = next_[name]; !ids_.insert(result).second;)
      result = name + "#" + std::to_string(++n + 1);
    return result;
  }

  /// Says that a conversation has another name than its id.
  void note_repeated(const std::string& wanted, const std::string& id, size_t line) {
    notices_.note(bad_input(file_, line, "id",
      "expected an id of its own, but an earlier conversation has \""
        + utf8::shortened(one_line(wanted), 80) + "\", too; this one is called \""
        + utf8::shortened(one_line(id), 90) + "\""));
  }

  std::string_view file_;
  const conversation_sink& sink_;
  input_notices notices_;
  std::set<std::string> ids_;
  std::map<std::string, size_t> next_; ///< how often each name was used again
  size_t read_ = 0;
};

} // namespace

void input_notices::append(const input_notices& x) {
  if (count_ == 0)
    first_ = x.first_;
  count_ += x.count_;
  refused_ += x.refused_;
  for (const auto& one : x.kept_)
    if (kept_.size() < transcript_limits::notices)
      kept_.push_back(one);
}

void input_notices::add(const caf::error& err, bool refused) {
  if (count_++ == 0)
    first_ = err;
  refused_ += refused ? 1 : 0;
  if (kept_.size() < transcript_limits::notices)
    kept_.push_back({describe_input(err) + (refused ? "; the line is left out" : ""), refused});
}

caf::expected<input_notices> read_transcript(
  std::string_view text, std::string_view file, const conversation_sink& sink) {
  transcript_reader reader{file, sink};
  each_entry(
    skip_bom(text), file, [&](std::string_view entry, size_t line) { reader.read(entry, line); });
  return reader.take();
}

caf::expected<conversations_read> read_transcript(std::string_view text, std::string_view file) {
  conversations_read result;
  auto keep = [&](conversation x, size_t, const json::value&) {
    result.conversations.push_back(std::move(x));
    return caf::error{};
  };
  auto notices = read_transcript(text, file, keep);
  if (!notices)
    return notices.error();
  result.notices = std::move(*notices);
  return result;
}

bool is_of_transcript(const json::value& x) {
  if (x.is_array())
    return true;
  return x.is_object()
         && (x.get_object().contains("messages") || x.get_object().contains("conversations"));
}

} // namespace scratchpage
