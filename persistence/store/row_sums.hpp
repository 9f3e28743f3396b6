#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/persistence/store/store.hpp"

/// How rows that are missing are missed. Each row has a checksum of its own; beside them is a
/// sum over all rows of a snapshot, of a collection of documents, or of an archive. The head of
/// a snapshot has a checksum as well.

namespace scratchpage {

/// What a row of a snapshot adds to its sum, which knows no order and overflows as it likes.
uint64_t sum_of(uint64_t number, uint64_t checksum);

/// What a row adds to the sum of an archive, without carry: of all that is found by, and of the
/// checksum of its body, which need not be there.
uint64_t sum_of(const archive_row& x);

/// What a document adds to the sum of its collection, without carry.
uint64_t sum_of(std::string_view key, uint64_t checksum);

/// Of all that a head says, and of whose it is.
uint64_t checksum_of(uint64_t agent, snapshot_kind kind, const snapshot_head& head);

/// Sums the rows that were read of a snapshot.
class snapshot_rows_check {
public:
  void add(const snapshot_row& x) { sum_ += sum_of(x.number, x.checksum); }

  /// Whether they are those of `head`, with which the reading began. A snapshot that its owner
  /// has moved meanwhile is not looked at. Errors: those of the store, `internal`.
  caf::error check(store& in, uint64_t agent, snapshot_kind kind, const snapshot_head& head) const;

private:
  uint64_t sum_ = 0;
};

/// Sums what is read of a collection or of an archive.
class sum_check {
public:
  static sum_check of_documents(store& in, uint64_t agent, const std::string& collection);
  static sum_check of_archive(store& in, uint64_t agent);

  /// Before the reading. Errors: those of the store.
  caf::error begin();
  void add(const document& x) { sum_ ^= sum_of(x.key, x.checksum); }
  void add(const archive_row& x) { sum_ ^= sum_of(x); }
  /// After all of it. What somebody has changed meanwhile is not looked at. Errors: those of
  /// the store, `internal`.
  caf::error end();

private:
  using source = std::function<caf::expected<uint64_t>()>;

  sum_check(source kept, std::string what)
    : kept_{std::move(kept)},
      what_{std::move(what)} {}

  source kept_;
  std::string what_;
  uint64_t wanted_ = 0;
  uint64_t sum_ = 0;
};

} // namespace scratchpage
