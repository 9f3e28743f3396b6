#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/json/json.hpp"

/// Descriptions, limits and examples of the members of structs. Schemas, the OpenAPI document and
/// the tools of models get them from here.

namespace scratchpage {

/// Which schemas have a member of the arguments.
enum class telling : uint8_t {
  nobody,   ///< none: only programs that embed the ensemble or are older use it
  programs, ///< the complete schema
  models,   ///< also the short schema for models
};

/// The note of one member.
struct note {
  std::string_view member;
  std::string_view description;
  /// JSON. Empty for structs and lists of structs, whose members have examples.
  std::string_view example = {};
  telling told = telling::programs;
  json::object (*limits)() = nullptr; ///< further keywords of JSON Schema
  bool several = false;         ///< for models it is a list, though one value is accepted, too
  std::string_view inside = {}; ///< the members of a struct that models see, with blanks between
  std::string_view for_models = {}; ///< the description that models see; empty: `description`
};

/// The note of a member that models see with a description of their own: models know nothing but
/// these words, and each word costs them tokens.
constexpr note told_models(note x, std::string_view words) {
  x.told = telling::models;
  x.for_models = words;
  return x;
}

/// Specialised for each struct that is an argument or an answer: `name` is what the schema is
/// called, and `members` is an array with a note for each member.
template <class T>
struct notes;

template <class T>
concept noted = requires {
  notes<T>::name;
  notes<T>::members;
};

/// The notes of a base class and of the class itself.
template <size_t N, size_t M>
constexpr std::array<note, N + M> joined(
  const std::array<note, N>& a, const std::array<note, M>& b) {
  std::array<note, N + M> result;
  for (size_t i = 0; i < N; ++i)
    result[i] = a[i];
  for (size_t i = 0; i < M; ++i)
    result[N + i] = b[i];
  return result;
}

/// The note of a member; null if there is none.
template <noted T>
constexpr const note* note_of(std::string_view member) {
  for (const auto& x : notes<T>::members)
    if (x.member == member)
      return &x;
  return nullptr;
}

/// Whether the struct has a member of that name.
template <class T>
constexpr bool has_member(std::string_view name) {
  return T::fields([name](const auto&... m) { return (false || ... || (m.name == name)); });
}

/// Whether each note names a member, and each member has exactly one note.
template <noted T>
constexpr bool covers_each_member() {
  auto result = true;
  size_t members = 0;
  T::fields([&](const auto&... m) { members = sizeof...(m); });
  for (const auto& x : notes<T>::members)
    result = result && has_member<T>(x.member) && note_of<T>(x.member) == &x;
  return result && members == notes<T>::members.size();
}

// -- limits ----------------------------------------------------------------------------

/// A number from `Least` to `Most`.
template <int64_t Least, int64_t Most>
json::object within() {
  return {{"minimum", Least}, {"maximum", Most}};
}

/// A text of `Least` to `Most` characters. For a limit in bytes, `Most` is that number.
template <uint64_t Least, uint64_t Most>
json::object characters() {
  return {{"minLength", Least}, {"maxLength", Most}};
}

/// A text of at most `Most` characters.
template <uint64_t Most>
json::object characters_up_to() {
  return {{"maxLength", Most}};
}

/// A text that is not empty.
inline json::object not_empty() {
  return {{"minLength", 1}};
}

/// A list of at most `Most` items.
template <uint64_t Most>
json::object items_up_to() {
  return {{"maxItems", Most}};
}

} // namespace scratchpage
