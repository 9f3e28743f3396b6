#pragma once

#include <memory>
#include <utility>

namespace scratchpage {

/// Settings that several objects may share, so that each agent of a process does not keep a copy.
template <class T>
class shared_settings {
public:
  shared_settings()
    : shared_settings{T{}} {}

  /// A copy of its own.
  shared_settings(T x)
    : value_{std::make_shared<const T>(std::move(x))} {}

  /// Not null.
  shared_settings(std::shared_ptr<const T> x)
    : value_{std::move(x)} {}

  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }

private:
  std::shared_ptr<const T> value_;
};

} // namespace scratchpage
