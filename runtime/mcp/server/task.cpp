#include "scratchpage/runtime/mcp/server/task.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"

namespace scratchpage::mcp {

namespace {

int64_t milliseconds_of(timespan x) {
  return std::chrono::ceil<std::chrono::milliseconds>(x).count();
}

/// The JSON of an object without its braces.
std::string members_of(const json::object& x) {
  auto text = to_text(json::value(x));
  return text.substr(1, text.size() - 2);
}

json::object error_object(const error& why) {
  json::object result{{"code", why.code}, {"message", why.message}};
  if (!why.data.is_null())
    result["data"] = why.data;
  return result;
}

} // namespace

task::task(setup x)
  : x_{std::move(x)},
    created_{x_.on->now()},
    updated_{created_} {}

json::object task::summary() const {
  json::object result{{"taskId", x_.id}, {"status", view(name_of(status_))},
    {"createdAt", to_rfc3339(created_)}, {"lastUpdatedAt", to_rfc3339(updated_)},
    {"ttlMs", ttl_ms_ ? json::value(*ttl_ms_) : json::value{}},
    {"pollIntervalMs", milliseconds_of(task_limits::poll)}};
  if (!message_.empty())
    result["statusMessage"] = message_;
  return result;
}

std::string task::detailed() const {
  auto state = summary();
  if (status_ == task_status::input_required)
    state["inputRequests"] = requests_of(open_);
  auto result = members_of(state);
  if (!outcome_.empty())
    result.append(1, ',').append(outcome_);
  return result;
}

void task::say(std::string message) {
  message_ = std::move(message);
  updated_ = x_.on->now();
  tell();
}

// -- the end -------------------------------------------------------------------------------------

void task::complete(std::string result) {
  if (is_over())
    return;
  auto room =
    result.size() <= task_limits::result_bytes ? x_.room->take(x_.who.by, result.size()) : nullptr;
  if (!room)
    return fail(internal_error("the result is too long to be kept: expected at most "
                               + std::to_string(task_limits::result_bytes)
                               + " bytes, and few other long results of tasks"));
  held_ = std::move(room);
  outcome_ = R"("result":)" + std::move(result);
  end(task_status::completed);
}

void task::fail(const error& why) {
  if (is_over())
    return;
  message_ = why.message;
  outcome_ = R"("error":)" + to_text(json::value(error_object(why)));
  end(task_status::failed);
}

void task::cancel() {
  if (!is_over())
    end(task_status::cancelled);
}

void task::abandon() {
  rounds_.clear();
  watchers_.clear();
  when_cancelled_ = nullptr;
}

void task::ask_to_cancel() {
  if (!is_over() && when_cancelled_)
    std::exchange(when_cancelled_, nullptr)();
}

void task::end(task_status how) {
  auto self = shared_from_this();
  status_ = how;
  updated_ = x_.on->now();
  ttl_ms_ = milliseconds_of(updated_ - created_ + task_limits::kept);
  open_.clear();
  rounds_.clear();
  when_cancelled_ = nullptr;
  tell();
  x_.on_end(x_.id);
}

// -- questions -----------------------------------------------------------------------------------

void task::ask(const questions& what, on_answers then) {
  if (is_over())
    return;
  if (what.empty() || open_.size() + what.size() > task_limits::questions)
    return then({});
  auto number = ++last_round_;
  auto& one = rounds_[number];
  one.then = std::move(then);
  for (const auto& [name, x] : what) {
    auto shown = unused_name(name);
    one.names.emplace(shown, name);
    open_.emplace(std::move(shown), x);
  }
  status_ = task_status::input_required;
  updated_ = x_.on->now();
  x_.on->after(x_.timeout, [weak = weak_from_this(), number] {
    if (auto self = weak.lock())
      self->settle(number);
  });
  tell();
}

std::string task::unused_name(const std::string& name) {
  auto result = name;
  for (size_t n = 2; !used_.insert(result).second; ++n)
    result = name + "-" + std::to_string(n);
  return result;
}

std::optional<error> task::update(const answers& given) {
  std::vector<std::string> open; // what is asked while answers are taken is not answered by them
  for (const auto& [name, x] : given) {
    auto asked = open_.find(name);
    if (asked == open_.end())
      continue;
    if (!fits(asked->second, x))
      return invalid_params(
        "inputResponses." + shown_name(name) + ": expected an answer to the question");
    open.push_back(name);
  }
  auto self = shared_from_this();
  for (const auto& name : open)
    if (open_.erase(name) > 0)
      take(name, given.at(name));
  return std::nullopt;
}

/// Takes the answer to a question that was open.
void task::take(const std::string& name, const json::object& x) {
  auto asked = std::find_if(rounds_.begin(), rounds_.end(),
    [&](const auto& one) { return one.second.names.contains(name); });
  if (asked == rounds_.end())
    return;
  auto& got = asked->second.got;
  got.emplace(asked->second.names.at(name), x);
  updated_ = x_.on->now();
  if (got.size() == asked->second.names.size())
    close_round(asked);
}

/// The time of a round is over.
void task::settle(uint64_t number) {
  if (auto found = rounds_.find(number); found != rounds_.end())
    close_round(found);
}

void task::close_round(std::map<uint64_t, round>::iterator which) {
  auto self = shared_from_this();
  auto done = std::move(which->second);
  rounds_.erase(which);
  for (const auto& [shown, name] : done.names)
    open_.erase(shown);
  updated_ = x_.on->now();
  if (open_.empty()) {
    status_ = task_status::working;
    tell();
  }
  done.then(done.got);
}

// -- watching ------------------------------------------------------------------------------------

std::shared_ptr<void> task::watch(on_change then) {
  auto number = ++last_watcher_;
  watchers_.emplace(number, std::move(then));
  auto leave = [weak = weak_from_this(), number](void*) {
    if (auto self = weak.lock())
      self->watchers_.erase(number);
  };
  return {static_cast<void*>(this), std::move(leave)};
}

void task::tell() {
  for (const auto& [number, then] : std::map{watchers_})
    then(*this);
}

} // namespace scratchpage::mcp
