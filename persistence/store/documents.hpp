#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/store.hpp"

/// Described values as documents of a store, with one collection for each kind. The names are part
/// of the stored form.

namespace scratchpage {

namespace collection {

inline constexpr std::string_view types = "types";           ///< registered types of observations
inline constexpr std::string_view goals = "goals";           ///< by goal_id
inline constexpr std::string_view facts = "facts";           ///< by fact_id
inline constexpr std::string_view goal_order = "goal_order"; ///< places of goals, by goal_id
inline constexpr std::string_view lessons = "lessons";       ///< "last": number of the last lesson
inline constexpr std::string_view stories = "stories";       ///< episodes, by turn_id
inline constexpr std::string_view episodes = "episodes";     ///< episodes of the first version
inline constexpr std::string_view open_turns = "open_turns"; ///< by turn_id
inline constexpr std::string_view epochs = "epochs";         ///< where each epoch of the page began
inline constexpr std::string_view positions = "positions";   ///< of subscribers, by name
inline constexpr std::string_view counters = "counters";     ///< reserved numbers, by counter

inline constexpr std::string_view housekeeping = "housekeeping"; ///< how far it has come
inline constexpr std::string_view files = "files";               ///< of an agent, by path
inline constexpr std::string_view versions = "versions";         ///< of its files, by path
inline constexpr std::string_view story_sizes = "story_sizes";   ///< of episodes, by turn_id

} // namespace collection

/// A document with this body; "" removes the document.
inline document make_document(std::string_view collection, std::string key, std::string body) {
  auto checksum = checksum_of(body);
  return {std::string{collection}, std::move(key), std::move(body), checksum};
}

template <described T>
document to_document(std::string_view collection, std::string key, const T& x) {
  return make_document(collection, std::move(key), to_json_text(x));
}

/// Reads the value of a document. Error: `internal`, which names the damaged document.
template <described T>
caf::expected<T> from_document(const document& x, const json_limits& limits) {
  auto value = from_json_text<T>(x.body, limits);
  if (!value || checksum_of(x.body) != x.checksum)
    return fail(errc::internal, x.collection + "/" + x.key,
      "expected it as it was written; `scratchpage repair` recovers intact data");
  return value;
}

/// Calls `f` with each value of a collection, in the order of the keys. Errors: those of the store,
/// and `internal`, which names a damaged document or says that some are missing.
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

/// All values of a collection, in the order of the keys. Errors: as above.
template <described T>
caf::expected<std::vector<T>> read_all(store& from, uint64_t agent, std::string_view collection) {
  std::vector<T> result;
  auto take = [&result](T&& x) { result.push_back(std::move(x)); };
  if (auto err = read_each<T>(from, agent, collection, take))
    return err;
  return result;
}

/// Writes documents. If the store refuses a write, it may have written the documents all the same
/// before it failed. The next write restores such documents to what they were.
class document_writer {
public:
  document_writer(std::shared_ptr<store> in, const ownership& by)
    : store_{std::move(in)},
      by_{by} {}

  /// Remembers the content of a document that was read.
  void remember(document x);

  /// Writes all of `rows`, or none. Errors: those of the store.
  caf::error put(std::vector<document> rows);

  /// Whether the store may have other documents: a write was refused, and none has come since.
  bool is_in_doubt() const { return !doubtful_.empty(); }

private:
  using place = std::pair<std::string, std::string>; // collection and key

  std::shared_ptr<store> store_;
  ownership by_;
  std::map<place, std::string> kept_; // the bodies of the stored documents
  std::set<place> doubtful_;          // documents that may have been written although refused
};

} // namespace scratchpage
