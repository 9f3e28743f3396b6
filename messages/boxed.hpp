#pragma once

#include <concepts>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace scratchpage {

/// An optional value that is usually absent. It has the size of a pointer and takes memory on the
/// heap only while it has a value. A copy has its own value, as with `std::optional`.
template <class T>
class boxed {
public:
  using value_type = T;

  boxed() = default;
  boxed(T x) // NOLINT: implicit, as with std::optional
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

/// A text that is usually empty. It has the size of a pointer and takes memory on the heap only
/// while it is not empty. A copy has its own text.
class seldom_text {
public:
  seldom_text() = default;
  seldom_text(std::string x) { // NOLINT: implicit, so that it is used like a text
    if (!x.empty())
      value_ = std::move(x);
  }
  seldom_text(const char* x) // NOLINT: as above
    : seldom_text{std::string{x}} {}

  bool empty() const { return !value_.has_value(); }
  size_t size() const { return text().size(); }

  const std::string& text() const {
    static const std::string none;
    return value_ ? *value_ : none;
  }
  operator std::string_view() const { return text(); } // NOLINT: as above

  friend bool operator==(const seldom_text& a, const seldom_text& b) {
    return a.value_ && b.value_ ? *a.value_ == *b.value_ : a.empty() == b.empty();
  }
  template <std::convertible_to<std::string_view> Text>
  requires(!std::same_as<Text, seldom_text>) friend bool operator==(
    const seldom_text& a, const Text& b) {
    return a.text() == std::string_view{b};
  }
  friend std::ostream& operator<<(std::ostream& out, const seldom_text& x) {
    return out << x.text();
  }

  /// Inspectors see a plain string.
  template <class Inspector>
  friend bool inspect(Inspector& f, seldom_text& x) {
    auto get = [&x] { return x.text(); };
    auto set = [&x](std::string value) {
      x = std::move(value);
      return true;
    };
    return f.apply(get, set);
  }

private:
  boxed<std::string> value_;
};

} // namespace scratchpage
