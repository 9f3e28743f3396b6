#include "scratchpage/runtime/mcp/server/polled_changes.hpp"

#include <optional>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/text/keyed_hash.hpp"
#include "scratchpage/runtime/api/operation_answers.hpp"
#include "scratchpage/runtime/mcp/server/trace_uri.hpp"

namespace scratchpage::mcp {

namespace {

/// How to see whether a resource has changed.
struct glance {
  std::string operation;
  json::object arguments;
};

std::optional<glance> glance_at(const std::string& resource) {
  if (resource == uri::page)
    return glance{"page_stats", {}};
  if (resource == uri::goals)
    return glance{"goals_list", {}};
  if (resource == uri::scratchbook)
    return glance{"scratch_read", {}}; // the view, which is short however long the book is
  if (resource.starts_with(uri::observations))
    return glance{
      "get_observation", {{"observation_id", resource.substr(uri::observations.size())}}};
  if (auto trace = read_trace_uri(resource))
    return glance{"turn_trace", {{"turn_id", trace->turn_id}, {"limit", 1}}}; // and the count
  return std::nullopt;
}

/// What differs when the resource has changed: the answer, and of a page its last change. No other
/// answer is taken apart, since some are long.
std::string content_of(const std::string& resource, std::string text) {
  if (resource != uri::page)
    return text;
  auto x = parse_result(text);
  const auto* object = x ? x->if_object() : nullptr;
  const auto* sequence = object != nullptr ? object->if_contains("sequence") : nullptr;
  return sequence != nullptr ? to_text(*sequence) : std::move(text);
}

} // namespace

polled_changes::polled_changes(std::shared_ptr<strand> on, run_operation run)
  : on_{std::move(on)},
    run_{std::move(run)} {}

polled_changes::place polled_changes::place_of(const client& who, const std::string& uri) {
  return {who.agent_id, who.thread_id, uri};
}

std::shared_ptr<void> polled_changes::subscribe(
  const client& who, wanted_changes what, on_change then) {
  auto one = std::make_shared<subscriber>(
    subscriber{std::make_shared<client>(who), std::move(what), std::move(then)});
  subscribers_.push_back(one);
  for (const auto& wanted : one->what.uris)
    if (auto where = place_of(who, wanted); seen_.emplace(where, std::nullopt).second)
      look_at(where, who, [] {});
  if (!std::exchange(looking_, true))
    look_again();
  return one;
}

/// Those that are still there.
std::vector<std::shared_ptr<polled_changes::subscriber>> polled_changes::subscribers() {
  std::erase_if(subscribers_, [](const auto& x) { return x.expired(); });
  std::vector<std::shared_ptr<subscriber>> result;
  result.reserve(subscribers_.size());
  for (const auto& x : subscribers_)
    result.push_back(x.lock());
  return result;
}

void polled_changes::look_again() {
  on_->after(between_looks, [weak = weak_from_this()] {
    if (auto self = weak.lock())
      self->look();
  });
}

/// Until nobody wants to know.
void polled_changes::look() {
  round_.clear();
  for (const auto& x : subscribers())
    for (const auto& one : x->what.uris)
      round_.emplace(place_of(*x->who, one), x->who);
  std::erase_if(seen_, [&](const auto& x) { return !round_.contains(x.first); });
  looking_ = !round_.empty();
  if (looking_)
    look_at_next();
}

/// One after the other, so that nobody is asked more than can be answered. What is answered at
/// once is gone on from by the strand, so that no number of resources fills the stack.
void polled_changes::look_at_next() {
  auto go_on = [on = on_, weak = weak_from_this()] {
    on->post([weak] {
      if (auto self = weak.lock())
        self->look_at_next();
    });
  };
  while (!round_.empty()) {
    auto next = round_.extract(round_.begin());
    if (look_at(next.key(), *next.mapped(), go_on))
      return;
  }
  look_again();
}

/// False if there is nothing to look at; else `then` is called, also before this returns.
bool polled_changes::look_at(const place& where, const client& who, std::function<void()> then) {
  auto how = glance_at(where.uri);
  if (!how)
    return false;
  run_(who, std::move(how->operation), std::move(how->arguments),
    [weak = weak_from_this(), where, then = std::move(then)](caf::expected<std::string> x) {
      auto self = weak.lock();
      if (!self)
        return;
      if (x)
        self->compare(where, content_of(where.uri, std::move(*x)));
      then();
    });
  return true;
}

void polled_changes::compare(const place& where, const std::string& content) {
  auto found = seen_.find(where);
  if (found == seen_.end())
    return;
  auto now = size_t{keyed_hash(content)};
  auto before = std::exchange(found->second, now);
  if (!before || *before == now)
    return;
  for (const auto& x : subscribers())
    if (x->who->agent_id == where.agent_id && x->who->thread_id == where.thread_id
        && x->what.uris.contains(where.uri))
      x->then({change_kind::resource, where.uri});
}

} // namespace scratchpage::mcp
