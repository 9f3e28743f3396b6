#pragma once

#include <cstddef>
#include <cstdint>
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

/// Some of those names, from `next` on, which moves behind them; none: there are no more.
std::vector<document> read_some_documents(connection& db, uint64_t agent,
  const std::string& collection, const std::vector<std::string>& names, size_t& next);

/// Where the reading of documents has come to, the latest first.
struct document_place {
  int64_t at = INT64_MAX;
  int64_t place = INT64_MAX;
};

/// Some of those in the range that are below `before`, which moves to the last of them; none:
/// there are no more.
std::vector<document> find_some_documents(connection& db, uint64_t agent,
  const std::string& collection, const document_range& range, document_place& before);

/// Which there are, in order.
std::vector<std::string> collections_of(connection& db, uint64_t agent);

} // namespace scratchpage::sql
