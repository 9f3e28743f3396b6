#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/persistence/store/store.hpp"

/// The documents of an SQL database, by name and by the terms that they are found by. For
/// `sql_store` only: failures are exceptions, and who writes has begun a transaction.

namespace scratchpage::sql {

/// Puts each in the place of the one of that name, which goes with its terms; without a body
/// that is all.
void put_documents(connection& db, uint64_t agent, std::span<const document> xs);

/// As a store's `sum_of_documents`.
uint64_t sum_of_documents(connection& db, uint64_t agent, const std::string& collection);

/// Sums the collections of a database whose form had no sums of them.
void seal_documents(connection& db);

/// All of a collection, in order.
std::vector<std::string> document_names(
  connection& db, uint64_t agent, const std::string& collection);

/// Nothing if there is none.
std::optional<document> read_document(
  connection& db, uint64_t agent, const std::string& collection, const std::string& name);

/// Some of those names, from `next` on, which moves behind them; none: there are no more.
std::vector<document> read_some_documents(connection& db, uint64_t agent,
  const std::string& collection, const std::vector<std::string>& names, size_t& next);

/// Where a document stands among those that are found, the latest first.
struct document_place {
  int64_t at = INT64_MAX;
  int64_t place = INT64_MAX;
  std::string name;
};

/// Finds the documents of a range one by one, since one of them may be large: no other's body is
/// in memory.
class document_search {
public:
  /// What is given has to outlive it.
  document_search(uint64_t agent, const std::string& collection, const document_range& range)
    : agent_{agent},
      collection_{collection},
      range_{range} {}

  /// The next one; nothing: there are no more.
  std::optional<document> next(connection& db);

private:
  bool find_places(connection& db);

  uint64_t agent_;
  const std::string& collection_;
  const document_range& range_;
  std::vector<document_place> places_;
  size_t next_ = 0;       ///< of those
  document_place before_; ///< which further ones are
};

/// Which there are, in order.
std::vector<std::string> collections_of(connection& db, uint64_t agent);

} // namespace scratchpage::sql
