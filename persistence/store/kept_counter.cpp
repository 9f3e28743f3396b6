#include "scratchpage/persistence/store/kept_counter.hpp"

#include <utility>

#include "scratchpage/persistence/store/documents.hpp"

namespace scratchpage {

uint64_t reserved_in(const std::vector<kept_number>& counters) {
  uint64_t result = 0;
  for (const auto& x : counters)
    if (x.name == counter_name::observations)
      result = x.reserved;
  return result;
}

kept_counter::kept_counter(std::shared_ptr<store> in, const ownership& by, std::string name)
  : store_{std::move(in)},
    by_{by},
    name_{std::move(name)} {}

caf::expected<std::shared_ptr<kept_counter>> kept_counter::open(
  std::shared_ptr<store> in, const ownership& by, std::string name) {
  auto found = read_all<kept_number>(*in, by.agent, collection::counters);
  if (!found)
    return found.error();
  std::shared_ptr<kept_counter> result{new kept_counter{std::move(in), by, std::move(name)}};
  for (const auto& x : *found)
    if (x.name == result->name_)
      result->last_ = result->reserved_ = x.reserved;
  return result;
}

caf::expected<uint64_t> kept_counter::next() {
  if (last_ == reserved_) {
    auto row = to_document(collection::counters, name_, kept_number{name_, last_ + at_once});
    if (auto err = store_->put(by_, {&row, 1}))
      return err;
    reserved_ = last_ + at_once;
  }
  return ++last_;
}

} // namespace scratchpage
