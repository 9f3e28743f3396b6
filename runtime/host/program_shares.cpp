#include "scratchpage/runtime/host/program_shares.hpp"

#include <algorithm>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

std::string program_shares::key_of(const caller& by) {
  if (by.claimed)
    return "claimed";
  if (is_person(by) || by.role == role::admin)
    return {};
  return std::string{name_of(by.kind)}.append(" ").append(by.name);
}

caf::error program_shares::check(const caller& by) const {
  auto found = open_.find(key_of(by));
  if (found == open_.end() || found->second < most_of_one_)
    return {};
  return fail(errc::overloaded, "agent",
    "expected at most " + std::to_string(most_of_one_) + " agents at once that " + principal_of(by)
      + " has opened");
}

size_t program_shares::excess(std::string_view key) const {
  auto found = open_.find(key);
  return found != open_.end() && found->second > most_of_one_ ? found->second - most_of_one_ : 0;
}

bool program_shares::is_any_beyond() const {
  return std::ranges::any_of(open_, [this](const auto& x) { return x.second > most_of_one_; });
}

void program_shares::enter(const std::string& key) {
  if (!key.empty())
    ++open_[key];
}

void program_shares::leave(std::string_view key) {
  auto found = open_.find(key);
  if (found != open_.end() && --found->second == 0)
    open_.erase(found);
}

} // namespace scratchpage
