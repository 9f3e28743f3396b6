#include "scratchpage/runtime/auth/kept_access_list.hpp"

#include <chrono>

#include "scratchpage/messages/error.hpp"

namespace scratchpage::access {

namespace {

constexpr timespan pause = std::chrono::seconds{1};

} // namespace

caf::expected<identity> kept_access_list::check(std::string_view bearer, timestamp now) {
  caf::error why;
  auto from = list(now, why);
  if (!from)
    return fail(errc::storage_unavailable, "token", "who is let in cannot be read");
  return from->check(bearer, now);
}

caf::expected<bool> kept_access_list::has_valid(timestamp now) {
  caf::error why;
  auto from = list(now, why);
  if (!from)
    return why;
  return from->has_valid(now);
}

bool kept_access_list::asks_for_tokens(timestamp now) {
  std::lock_guard guard{mutex_};
  look(now);
  return had_file_;
}

kept_access_list::list_ptr kept_access_list::list(timestamp now, caf::error& why) {
  std::lock_guard guard{mutex_};
  look(now);
  why = trouble_;
  return list_;
}

void kept_access_list::look(timestamp now) {
  // A clock that was set back is no reason to wait until it is there again.
  if (!looked_at_ || now < *looked_at_ || now - *looked_at_ >= pause) {
    auto is_first = !looked_at_;
    looked_at_ = now;
    // What cannot be read is tried again: its mode may change, which no stamp has.
    if (is_first || trouble_ || file_.stamp() != stamp_)
      read();
  }
}

void kept_access_list::read() {
  auto had_trouble = static_cast<bool>(trouble_);
  auto found = file_.read();
  if (found) {
    list_ = std::make_shared<const access_list>(std::move(found->tokens));
    stamp_ = found->stamp;
    had_file_ = had_file_ || stamp_.has_value();
    trouble_ = {};
    return;
  }
  had_file_ = true; // what cannot be read is there
  list_ = nullptr;
  stamp_ = std::nullopt;
  trouble_ = found.error();
  if (!had_trouble && tell_)
    tell_(trouble_);
}

} // namespace scratchpage::access
