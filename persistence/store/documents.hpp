#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/row_sums.hpp"
#include "scratchpage/persistence/store/store.hpp"

/// Described values as documents of a store, one collection for each kind. The
/// names are part of the on-disk form.

namespace scratchpage {

namespace collection {

inline constexpr std::string_view types = "types";         ///< registered, beyond the configured
inline constexpr std::string_view goals = "goals";         ///< by goal_id
inline constexpr std::string_view facts = "facts";         ///< by fact_id
inline constexpr std::string_view lessons = "lessons";     ///< "last": what facts were learnt from
inline constexpr std::string_view stories = "stories";     ///< episodes, by turn_id
inline constexpr std::string_view episodes = "episodes";   ///< as the first form had them
inline constexpr std::string_view epochs = "epochs";       ///< where each of the page's began
inline constexpr std::string_view positions = "positions"; ///< of subscribers, by name
inline constexpr std::string_view counters = "counters";   ///< numbers that are never used again

inline constexpr std::string_view housekeeping = "housekeeping"; ///< how far it came
inline constexpr std::string_view files = "files";               ///< of an agent, by path
inline constexpr std::string_view versions = "versions";         ///< of its files, by path
inline constexpr std::string_view story_sizes = "story_sizes";   ///< what episodes take, by turn_id

} // namespace collection

/// A document that says `body`; "" forgets it.
inline document make_document(std::string_view collection, std::string key, std::string body) {
  auto checksum = checksum_of(body);
  return {std::string{collection}, std::move(key), std::move(body), checksum};
}

template <described T>
document to_document(std::string_view collection, std::string key, const T& x) {
  return make_document(collection, std::move(key), to_json_text(x));
}

/// Error: `internal`, which names what is damaged.
template <described T>
caf::expected<T> from_document(const document& x, const json_limits& limits) {
  auto value = from_json_text<T>(x.body, limits);
  if (!value || checksum_of(x.body) != x.checksum)
    return fail(errc::internal, x.collection + "/" + x.key,
      "expected it as it was written; `scratchpage repair` saves what is whole");
  return value;
}

/// Calls `f` with each of a collection, by key. Errors: those of the store, and `internal`, which
/// names what is damaged, or says that something is missing.
template <described T, class F>
caf::error read_each(store& from, uint64_t agent, std::string_view collection, F f) {
  constexpr json_limits limits{64u << 20, 64, any_number_of_values};
  caf::error damage;
  auto sum = sum_check::of_documents(from, agent, std::string{collection});
  if (auto err = sum.begin())
    return err;
  auto err = from.read_documents(agent, std::string{collection}, [&](document&& x) {
    sum.add(x);
    auto value = from_document<T>(x, limits);
    if (value)
      f(std::move(*value));
    else
      damage = value.error();
    return !damage;
  });
  if (!err)
    err = damage;
  if (!err)
    err = sum.end();
  return err;
}

/// All of a collection, by key. Errors: as above.
template <described T>
caf::expected<std::vector<T>> read_all(store& from, uint64_t agent, std::string_view collection) {
  std::vector<T> result;
  auto take = [&result](T&& x) { result.push_back(std::move(x)); };
  if (auto err = read_each<T>(from, agent, collection, take))
    return err;
  return result;
}

} // namespace scratchpage
