#pragma once

#include <memory>
#include <utility>

namespace scratchpage {

/// A member that is seldom there, as wide as a pointer while it is not. It is copied
/// with its owner, as `std::optional` is.
template <class T>
class boxed {
public:
  using value_type = T;

  boxed() = default;
  boxed(T x) // NOLINT: a value is one, as with std::optional
    : value_{std::make_unique<T>(std::move(x))} {}
  boxed(const boxed& other)
    : value_{other.value_ ? std::make_unique<T>(*other.value_) : nullptr} {}
  boxed(boxed&&) noexcept = default;
  boxed& operator=(boxed other) noexcept {
    value_ = std::move(other.value_);
    return *this;
  }
  ~boxed() = default;

  bool has_value() const { return value_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }
  void reset() { value_.reset(); }

  template <class Inspector>
  friend bool inspect(Inspector& f, boxed& x) {
    auto is_set = x.has_value();
    T value = is_set ? *x : T{};
    if (!f.object(x).fields(f.field("is_set", is_set), f.field("value", value)))
      return false;
    if constexpr (Inspector::is_loading)
      x = is_set ? boxed{std::move(value)} : boxed{};
    return true;
  }

private:
  std::unique_ptr<T> value_;
};

} // namespace scratchpage
