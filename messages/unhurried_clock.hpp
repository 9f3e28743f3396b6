#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// For whoever forgets what is old: a clock that is set forward, by a year or by mistake,
/// makes nothing older than an hour more than has passed since this object was made. Set
/// back, it is as late as the clock below.
class unhurried_clock : public clock {
public:
  explicit unhurried_clock(std::shared_ptr<const clock> under)
    : under_{std::move(under)},
      began_at_{under_->now()},
      began_{under_->steady()} {}

  timestamp now() const override {
    return std::min(under_->now(), began_at_ + (steady() - began_) + std::chrono::hours{1});
  }
  timespan steady() const override { return under_->steady(); }

private:
  std::shared_ptr<const clock> under_;
  timestamp began_at_;
  timespan began_;
};

} // namespace scratchpage
