#include "scratchpage/runtime/mcp/polled_changes.hpp"

#include <optional>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/mcp/trace_uri.hpp"
#include "scratchpage/runtime/operations/operation_answers.hpp"

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
    return glance{"scratch_list", {}};
  if (resource.starts_with(uri::observations))
    return glance{
      "get_observation", {{"observation_id", resource.substr(uri::observations.size())}}};
  if (auto trace = read_trace_uri(resource))
    return glance{"turn_trace", {{"turn_id", trace->turn_id}, {"limit", 1}}}; // and the count
  return std::nullopt;
}

/// What differs when the resource has changed; of a page its last change.
std::string content_of(std::string text) {
  auto x = parse_result(text);
  const auto* object = x ? x->if_object() : nullptr;
  const auto* sequence = object != nullptr ? object->if_contains("sequence") : nullptr;
  return sequence != nullptr ? to_text(*sequence) : std::move(text);
}

} // namespace

polled_changes::polled_changes(std::shared_ptr<strand> on, run_operation run)
  : on_{std::move(on)},
    run_{std::move(run)} {}

std::shared_ptr<void> polled_changes::subscribe(
  const client& who, wanted_changes what, on_change then) {
  auto one = std::make_shared<subscriber>(subscriber{who, std::move(what), std::move(then)});
  subscribers_.push_back(one);
  for (const auto& wanted : one->what.uris)
    if (seen_.emplace(place{who.agent_id, who.thread_id, wanted}, "").second)
      look_at({who.agent_id, who.thread_id, wanted}, who, [] {});
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
  std::map<place, client> wanted;
  for (const auto& x : subscribers())
    for (const auto& one : x->what.uris)
      wanted.emplace(place{x->who.agent_id, x->who.thread_id, one}, x->who);
  std::erase_if(seen_, [&](const auto& x) { return !wanted.contains(x.first); });
  looking_ = !wanted.empty();
  if (!looking_)
    return;
  round_.assign(wanted.begin(), wanted.end());
  look_at_next();
}

/// One after the other, so that nobody is asked more than can be answered.
void polled_changes::look_at_next() {
  if (round_.empty())
    return look_again();
  auto [where, who] = std::move(round_.front());
  round_.pop_front();
  look_at(where, who, [this] { look_at_next(); });
}

void polled_changes::look_at(
  const place& where, const client& who, const std::function<void()>& then) {
  auto how = glance_at(where.uri);
  if (!how)
    return then();
  run_(who, std::move(how->operation), std::move(how->arguments),
    [weak = weak_from_this(), where, then](caf::expected<std::string> x) {
      auto self = weak.lock();
      if (!self)
        return;
      if (x)
        self->compare(where, content_of(std::move(*x)));
      then();
    });
}

void polled_changes::compare(const place& where, std::string content) {
  auto found = seen_.find(where);
  if (found == seen_.end())
    return;
  auto before = std::exchange(found->second, std::move(content));
  if (before.empty() || before == found->second)
    return;
  for (const auto& x : subscribers())
    if (x->who.agent_id == where.agent_id && x->who.thread_id == where.thread_id
        && x->what.uris.contains(where.uri))
      x->then({change_kind::resource, where.uri});
}

} // namespace scratchpage::mcp
