#include "scratchpage/actors/cortex/wish_goals.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/deed_reading.hpp"
#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/actors/policies/reply_reading.hpp"
#include "scratchpage/actors/policies/response_reading.hpp"
#include "scratchpage/actors/policies/wish_reading.hpp"
#include "scratchpage/actors/policies/wish_signs.hpp"
#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr double begun_progress = 0.1;

bool is_of(const goal& x, const std::string& user) {
  return x.goal_type == wish_goal && !is_over(x) && text_view_at(x.context, "user_id") == user;
}

bool is_in(const goal& x, const std::string& thread) {
  return text_view_at(x.context, "thread_id") == thread;
}

std::vector<std::string> stems_of(std::vector<std::string> words) {
  for (auto& word : words)
    word = stem(word);
  return words;
}

/// How many of the stems a text has.
size_t shared_stems(std::string_view text, const std::vector<std::string>& stems) {
  auto of = stems_of(words_of(text));
  return static_cast<size_t>(std::count_if(
    stems.begin(), stems.end(), [&](const std::string& one) { return contains(of, one); }));
}

/// How near a tool is to a goal: by the goal's topic and title first, then by how it was asked for.
/// `stems`: of the tool's name.
size_t nearness(const goal& x, const std::vector<std::string>& stems) {
  auto asked = x.evidence.empty() ? std::string_view{} : std::string_view{x.evidence[0].content};
  return 2 * shared_stems(text_at(x.context, "topic") + " " + x.title, stems)
         + shared_stems(asked, stems);
}

/// Whether a title and the id of a goal have two words in common, or the only long one of the id.
bool shares_long_words(const std::string& title, const std::string& goal_id) {
  constexpr size_t shortest = 4;
  auto of = stems_of(words_of(title));
  size_t shared = 0, all = 0;
  for (const auto& word : words_of_id(goal_id)) {
    if (word.size() < shortest)
      continue;
    ++all;
    shared += contains(of, stem(word));
  }
  return shared >= 2 || (shared == 1 && all == 1);
}

/// Whether a response has most of the words of a title, and two at least.
bool tells_of(std::string_view response, std::string_view title) {
  constexpr size_t shortest = 3;
  auto said = stems_of(words_of(response));
  size_t all = 0, shared = 0;
  for (const auto& word : words_of(title)) {
    if (word.size() < shortest)
      continue;
    ++all;
    shared += contains(said, stem(word));
  }
  return shared > 1 && 4 * shared >= 3 * all;
}

} // namespace

/// What a turn tells about wishes.
struct wish_goals::story {
  const settle_goals& request;
  observation_ptr input;
  std::string user;
  std::string thread;
  wish_reading said;
  response_reading answer;
  std::vector<call_record> calls;
  std::string_view response; ///< lives as long as `request`
  bool has_response = false;
  bool is_agreed = false; ///< the user has agreed to what the agent was about to do
};

wish_goals::wish_goals(goal_book& goals, const clock& time, double stale_days)
  : goals_{goals},
    time_{time},
    stale_after_{std::chrono::minutes{std::llround(stale_days * 24 * 60)}} {}

std::vector<std::string> wish_goals::settle(const settle_goals& request) {
  moved_.clear();
  begun_.clear();
  if (auto x = read(request)) {
    end_stale(*x);
    take_words(*x);
    open(*x);
    move_on(*x);
  }
  return std::exchange(moved_, {});
}

/// Reads a turn. Nothing if it has no input of a user.
std::optional<wish_goals::story> wish_goals::read(const settle_goals& request) {
  const auto& turn = request.observations;
  auto input = first_of(turn, "user_input");
  if (!input || input->source.kind != source_kind::user)
    return std::nullopt;
  story x{request, input, text_at(input->context, "user_id"), text_at(input->context, "thread_id"),
    {}, {}, calls_of(turn), {}};
  auto key = x.thread + "\n" + x.user;
  auto before = last_response(key);
  auto asked = read_response(before);
  x.said = read_wishes(input->content, before, asked.waits.has_value());
  x.is_agreed =
    asked.waits && *asked.waits != waiting_kind::inputs
    && read_reply(input->content, *asked.waits, asked.question) == answer_kind::affirmed;
  if (auto response = first_of(turn, "agent_response")) {
    x.answer = read_response(response->content);
    x.response = response->content;
    x.has_response = true;
    remember(key, response->content);
  }
  return x;
}

/// What the user says about goals that they have.
void wish_goals::take_words(const story& x) {
  const auto* mine = current(x);
  if (mine == nullptr)
    return;
  if (x.said.drops)
    drop(x, *mine);
  else if (x.said.says_done)
    change(x, *mine, "end_wish", goal_status::completed, "The user says that it is done");
}

/// What is given up is the latest wish, unless all are.
void wish_goals::drop(const story& x, const goal& latest) {
  auto all = x.said.drops_all ? open_ones(x) : std::vector<goal>{latest};
  for (const auto& one : all)
    change(x, one, "drop_wish", goal_status::abandoned, "The user has dropped it");
}

void wish_goals::open(const story& x) {
  size_t count = 0;
  for (const auto& wish : x.said.wishes) {
    if (++count > wish_limits::wishes)
      return;
    if (const auto* same = same_wish(x, wish.topic)) {
      if (same->title != wish.title)
        change(x, *same, "change_wish", same->status, "Now: " + wish.title);
      continue;
    }
    if (is_named_goal(x, wish.title))
      continue;
    if (const auto* vague = vague_wish(x)) {
      auto next = *vague;
      next.title = wish.title;
      next.context["topic"] = wish.topic;
      change(x, next, "change_wish", next.status, "Now: " + wish.title);
      continue;
    }
    goal next;
    next.goal_type = wish_goal;
    next.title = wish.title;
    next.status = goal_status::in_progress;
    next.progress = begun_progress;
    next.context = context_about(*x.input);
    next.context["topic"] = wish.topic;
    next.observation_id = x.input->observation_id;
    next.observation_ids = {x.input->observation_id};
    next.evidence.push_back(
      {x.input->observation_id, utf8::shortened(x.input->content, goal_limits::evidence_bytes),
        x.input->confidence, said_by(x.input->source)});
    count_for(next, counts_for(x.request.by));
    goals_.prepare(next);
    auto id = next.goal_id;
    if (goals_.commit(std::move(next), x.request.by, "open_wish"))
      return;
    moved_.push_back(id);
    begun_.push_back(std::move(id));
  }
}

/// What the calls and the response of the turn do to the goals.
void wish_goals::move_on(const story& x) {
  bool acted = false;
  for (const auto& call : x.calls) {
    auto did = read_deed(call.tool_id, call.inputs, call.outputs, std::nullopt);
    did.changes = did.changes || (x.is_agreed && !surely_looks(call.tool_id));
    did.succeeded = did.succeeded && call.outcome == call_outcome::succeeded;
    const auto* meant = did.changes ? meant_by_call(x, call.tool_id) : nullptr;
    if (meant == nullptr)
      continue;
    acted = true;
    if (did.succeeded)
      end_told(x, *meant, call.tool_id);
    else
      change(x, *meant, "block_wish", goal_status::blocked,
        call.tool_id
          + (call.outcome == call_outcome::unanswered ? " has no result" : " has failed"));
  }
  const auto* mine = current(x);
  if (acted || mine == nullptr || !x.has_response)
    return;
  if (x.answer.waits && mine->status != goal_status::blocked)
    change(x, *mine, "block_wish", goal_status::blocked, "Waits for the user");
  else if (!x.answer.waits && !x.answer.tells_failure && asks_to_know(mine->title))
    change(x, *mine, "end_wish", goal_status::completed, "The agent has answered it");
  else if (!x.answer.waits && x.answer.tells_success && x.calls.empty())
    change(x, *mine, "end_wish", goal_status::completed, "The agent says that it is done");
  else if (!x.answer.waits && mine->status == goal_status::blocked && !x.answer.tells_failure)
    change(x, *mine, "resume_wish", goal_status::in_progress);
}

/// A call has done what one goal wants, and with it what the response tells of.
void wish_goals::end_told(const story& x, const goal& meant, const std::string& tool_id) {
  auto done = meant.goal_id;
  change(x, meant, "end_wish", goal_status::completed, tool_id + " has done it");
  for (const auto& one : open_ones(x))
    if (one.goal_id != done && x.answer.tells_success && tells_of(x.response, one.title))
      change(x, one, "end_wish", goal_status::completed, "The agent says that it is done");
}

/// Ends the user's goals that nothing has come of for long.
void wish_goals::end_stale(const story& x) {
  std::vector<goal> stale;
  for (const auto* one : goals_.all())
    if (is_of(*one, x.user) && one->updated_at + stale_after_ < time_.now())
      stale.push_back(*one);
  for (const auto& one : stale)
    change(x, one, "drop_wish", goal_status::abandoned, "Nothing has come of it for long");
}

/// The latest open goal of the user in the thread.
const goal* wish_goals::current(const story& x) const {
  const goal* result = nullptr;
  for (const auto* one : goals_.all())
    if (is_of(*one, x.user) && is_in(*one, x.thread))
      result = one;
  return result;
}

/// The open goals of the user in the thread, in their order.
std::vector<goal> wish_goals::open_ones(const story& x) const {
  std::vector<goal> result;
  for (const auto* one : goals_.all())
    if (is_of(*one, x.user) && is_in(*one, x.thread))
      result.push_back(*one);
  return result;
}

/// The latest open goal, if the user has not said yet what exactly they want.
const goal* wish_goals::vague_wish(const story& x) const {
  const auto* mine = current(x);
  return mine != nullptr && is_vague(mine->title) ? mine : nullptr;
}

const goal* wish_goals::same_wish(const story& x, const std::string& topic) const {
  for (const auto* one : goals_.all())
    if (is_of(*one, x.user) && text_view_at(one->context, "topic") == topic)
      return one;
  return nullptr;
}

/// Whether somebody who noticed something in the turn has named the goal of this wish: the context
/// of the observation has `book_flight_to_paris`, and that goal was made of it.
bool wish_goals::is_named_goal(const story& x, const std::string& title) const {
  for (const auto& one : x.request.observations) {
    auto name = text_at(one->context, "goal_id");
    const auto* named = name.empty() ? nullptr : goals_.find(name);
    if (named != nullptr && !is_over(*named) && shares_long_words(title, name))
      return true;
  }
  return false;
}

/// The open goal that a call is for: the nearest, and of equally near ones the latest.
const goal* wish_goals::meant_by_call(const story& x, const std::string& tool_id) const {
  const goal* result = nullptr;
  size_t nearest = 0;
  auto stems = stems_of(words_of_id(tool_id));
  for (const auto* one : goals_.all()) {
    if (!is_of(*one, x.user) || !is_in(*one, x.thread))
      continue;
    auto near = nearness(*one, stems);
    if (near >= nearest) {
      nearest = near;
      result = one;
    }
  }
  return result;
}

void wish_goals::change(const story& x, const goal& from, std::string_view operation,
  goal_status status, std::string note) {
  auto next = from;
  next.status = status;
  if (status == goal_status::completed)
    next.progress = 1;
  if (!note.empty())
    next.description = std::move(note);
  auto id = next.goal_id;
  if (!goals_.commit(std::move(next), x.request.by, operation)
      && std::find(moved_.begin(), moved_.end(), id) == moved_.end())
    moved_.push_back(id);
}

uint64_t wish_goals::last_words::bytes() const {
  constexpr uint64_t nodes = 160; // of both lists, with the objects of the texts
  uint64_t result = 0;
  for (const auto& [thread, response] : responses)
    result += nodes + 2 * thread.size() + response.size();
  return result;
}

void wish_goals::remember(const std::string& thread, std::string_view response) {
  last_.threads.remove(thread);
  last_.threads.push_back(thread);
  last_.responses[thread] = utf8::prefix(response, wish_limits::response_bytes);
  if (last_.threads.size() > wish_limits::threads) {
    last_.responses.erase(last_.threads.front());
    last_.threads.pop_front();
  }
}

std::string wish_goals::last_response(const std::string& thread) const {
  auto i = last_.responses.find(thread);
  return i == last_.responses.end() ? std::string{} : i->second;
}

} // namespace scratchpage
