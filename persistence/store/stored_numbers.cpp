#include "scratchpage/persistence/store/stored_numbers.hpp"

#include <utility>

#include "scratchpage/persistence/store/documents.hpp"

namespace scratchpage {

uint64_t reserved_in(const std::vector<stored_number>& counters, std::string_view name) {
  uint64_t result = 0;
  for (const auto& x : counters)
    if (x.name == name)
      result = x.reserved;
  return result;
}

id_allocator::id_allocator(std::shared_ptr<store> in, const ownership& by, std::string name)
  : store_{std::move(in)},
    by_{by},
    name_{std::move(name)} {}

caf::expected<std::shared_ptr<id_allocator>> id_allocator::open(
  std::shared_ptr<store> in, const ownership& by, std::string name) {
  auto found = read_all<stored_number>(*in, by.agent, collection::counters);
  if (!found)
    return found.error();
  std::shared_ptr<id_allocator> result{new id_allocator{std::move(in), by, std::move(name)}};
  for (const auto& x : *found)
    if (x.name == result->name_)
      result->last_ = result->reserved_ = x.reserved;
  return result;
}

caf::expected<uint64_t> id_allocator::next() {
  if (last_ == reserved_) {
    auto row = to_document(collection::counters, name_, stored_number{name_, last_ + at_once});
    if (auto err = store_->put(by_, {&row, 1}))
      return err;
    reserved_ = last_ + at_once;
  }
  return ++last_;
}

void id_allocator::go_on_after(uint64_t last) {
  if (last <= reserved_ && reserved_ - last <= at_once)
    last_ = last;
}

void subscriber_positions::restore(const std::vector<stored_position>& known) {
  for (const auto& x : known)
    known_.emplace(x.name, x);
}

bool subscriber_positions::has_room_for(const std::string& name) const {
  return known_.size() < most_ || known_.contains(name);
}

std::optional<stored_position> subscriber_positions::find(const std::string& name) const {
  auto i = known_.find(name);
  if (i == known_.end())
    return std::nullopt;
  return i->second;
}

void subscriber_positions::note(stored_position now) {
  auto& known = known_[now.name];
  if (known.sequence == now.sequence && known.epoch == now.epoch && !known.name.empty())
    return;
  changed_.insert(now.name);
  known = std::move(now);
}

void subscriber_positions::forget(const std::string& name) {
  if (known_.erase(name) > 0)
    changed_.insert(name);
}

std::vector<kept_document> subscriber_positions::take_changed() {
  std::vector<kept_document> result;
  for (const auto& name : std::exchange(changed_, {})) {
    auto known = known_.find(name);
    result.push_back({std::string{collection::positions}, name,
      known == known_.end() ? "" : to_json_text(known->second)});
  }
  return result;
}

void subscriber_positions::put_back(const std::vector<kept_document>& refused) {
  for (const auto& x : refused)
    changed_.insert(x.key);
}

} // namespace scratchpage
