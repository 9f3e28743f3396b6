#pragma once

#include <concepts>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/messages/boxed.hpp"

namespace scratchpage {

/// A text that is mostly "", as wide as a pointer while it is. It is copied with its owner.
class seldom_text {
public:
  seldom_text() = default;
  seldom_text(std::string x) { // NOLINT: a text is one
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

  /// On the wire it is a string.
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
