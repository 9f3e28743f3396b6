#include <string>
#include <vector>

#include "scratchpage/actors/policies/detail_matching.hpp"
#include "scratchpage/actors/policies/error_reading.hpp"
#include "scratchpage/actors/policies/fact_reading.hpp"
#include "scratchpage/actors/policies/output_reading.hpp"
#include "scratchpage/actors/policies/reply_reading.hpp"
#include "scratchpage/actors/policies/turn_reading.hpp"
#include "scratchpage/actors/policies/urgency_reading.hpp"
#include "scratchpage/actors/policies/wish_reading.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/tests/fuzz/targets.hpp"

namespace scratchpage::fuzz {

namespace {

constexpr size_t most_cuts = 24;  // of a text, each at a space
constexpr size_t cut_bytes = 256; // of a text that is read broken off

void read_statement(std::string_view text) {
  for (const auto& one : read_facts(text, fact_speaker::user))
    promise(!one.statement.empty() && utf8::is_valid(one.statement), "a fact is a text");
  for (const auto& one : read_facts(text, fact_speaker::other))
    promise(!one.statement.empty() && utf8::is_valid(one.statement), "a fact is a text");
}

void read_wish(std::string_view text) {
  for (const auto& before : {std::string{}, std::string{text}})
    for (const auto& one : read_wishes(text, before, !before.empty()).wishes)
      promise(!one.title.empty() && utf8::is_valid(one.title), "a title is a text");
}

void read_answer(std::string_view text) {
  auto said = read_response(text);
  promise(utf8::is_valid(said.question), "a question is a text");
  for (auto kind : {waiting_kind::confirm, waiting_kind::inputs, waiting_kind::choice})
    read_reply(text, kind, text);
}

void judge(std::string_view text) {
  read_error(text);
  read_urgency(text);
  evaluation_input turn;
  turn.input = text;
  turn.response = text;
  call_record call;
  call.tool_id = text;
  call.outputs["text"] = text;
  turn.calls = {call, call};
  turn.calls[0].outcome = call_outcome::failed;
  for (const auto& reason : read_whole_turn(turn).reasons)
    promise(utf8::is_valid(reason), "a reason is a text");
}

void read(std::string_view text) {
  read_statement(text);
  read_wish(text);
  read_answer(text);
  judge(text);
}

} // namespace

/// What the policies read of what people, agents and tools write, whole and broken off.
void readings(std::string_view bytes) {
  if (!utf8::is_valid(bytes))
    return;
  if (auto object = parse_json(bytes); object && object->is_object())
    read_outputs(object->get_object());
  read(bytes);
  if (bytes.size() > cut_bytes)
    return;
  size_t cuts = 0;
  for (size_t at = bytes.find(' '); at != std::string_view::npos && cuts < most_cuts;
       at = bytes.find(' ', at + 1), ++cuts) {
    read(bytes.substr(0, at));
    read_statement(bytes.substr(at + 1));
    read_wish(bytes.substr(at + 1));
  }
}

} // namespace scratchpage::fuzz
