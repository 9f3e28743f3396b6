#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

namespace scratchpage {

/// How a JSON reader treats a member; CAF's inspectors treat all alike.
enum class presence {
  required,    ///< must be there and not null
  optional,    ///< absent or null leaves the default
  one_or_many, ///< optional; a list that may also be written as one value
};

/// Names one data member of a described type.
template <class T, class M>
struct field {
  std::string_view name;
  M T::*member;
  presence need;
};

template <class T, class M>
constexpr field<T, M> required(const char* name, M T::*member) {
  return {name, member, presence::required};
}

template <class T, class M>
constexpr field<T, M> optional(const char* name, M T::*member) {
  return {name, member, presence::optional};
}

template <class T, class M>
constexpr field<T, M> one_or_many(const char* name, M T::*member) {
  return {name, member, presence::one_or_many};
}

/// A field of a base class as one of the derived class `D`.
template <class D, class B, class M>
constexpr field<D, M> inherited(const field<B, M>& x) {
  return {x.name, x.member, x.need};
}

namespace detail {

struct take_nothing {
  constexpr void operator()(const auto&...) const {}
};

} // namespace detail

/// A struct that lists its members once: `fields(all)` calls `all` with them. From
/// that one list come its CAF inspection (here), and its JSON reader and writer
/// (`codec.hpp`). A template, so that nothing is made of it where nobody asks:
/// a tuple of fields would cost every unit that sees the struct.
template <class T>
concept described = std::is_class_v<T> && requires {
  T::fields(detail::take_nothing{});
};

/// CAF inspection of every described type, found by argument-dependent lookup.
template <class Inspector, described T>
bool inspect(Inspector& f, T& x) {
  return T::fields(
    [&](const auto&... m) { return f.object(x).fields(f.field(m.name, x.*(m.member))...); });
}

} // namespace scratchpage
