#include "scratchpage/persistence/kept_episodes.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/persistence/store/documents.hpp"

namespace scratchpage {

kept_episodes::kept_episodes(std::shared_ptr<store> in, const ownership& by, episodic_config config)
  : store_{std::move(in)},
    by_{by},
    latest_{config} {}

caf::expected<std::shared_ptr<kept_episodes>> kept_episodes::open(
  std::shared_ptr<store> in, const ownership& by, episodic_config config) {
  auto found = read_all<episode>(*in, by.agent, collection::episodes);
  if (!found)
    return found.error();
  std::stable_sort(found->begin(), found->end(),
    [](const episode& a, const episode& b) { return a.ended_at < b.ended_at; });
  std::shared_ptr<kept_episodes> result{new kept_episodes{std::move(in), by, config}};
  for (auto& x : *found)
    if (auto err = result->latest_.record(std::move(x)))
      return err;
  return result;
}

caf::error kept_episodes::record(episode x) {
  if (x.turn_id.empty())
    return latest_.record(std::move(x)); // which says what is wrong with it
  std::erase_if(x.observations, [](const observation_ptr& one) { return !one; });
  auto row = to_document(collection::episodes, x.turn_id, x);
  if (auto err = store_->put(by_, {&row, 1}))
    return err;
  return latest_.record(std::move(x));
}

caf::expected<episode_list> kept_episodes::query(const query_episodes& what) const {
  return latest_.query(what);
}

} // namespace scratchpage
