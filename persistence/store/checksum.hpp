#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// The 64-bit XXH3 of the bytes. Everything that is stored has such a checksum. It finds changes by
/// a disk, not those by a person, who can change the checksum, too.
uint64_t checksum_of(std::string_view bytes);

/// The same checksum of a text that comes in parts.
class running_checksum {
public:
  running_checksum();
  running_checksum(running_checksum&&) noexcept;
  running_checksum& operator=(running_checksum&&) noexcept;
  ~running_checksum();

  void add(std::string_view bytes);
  uint64_t value() const;

private:
  struct state;
  std::unique_ptr<state> state_;
};

} // namespace scratchpage

/// How missing rows are noticed. Each row has its own checksum. In addition there is a sum over all
/// rows of a snapshot, of a collection of documents, and of an archive. The head of a snapshot has
/// a checksum as well.

namespace scratchpage {

/// What a row of a snapshot adds to the sum of the snapshot. The sum is of 64 bits and may
/// overflow; the order of the rows does not matter.
uint64_t sum_of(uint64_t number, uint64_t checksum);

/// What a row adds (by XOR) to the sum of an archive. It covers the columns by which the row is
/// found, and the checksum of its body; the body itself is not needed.
uint64_t sum_of(const archive_row& x);

/// What a document adds (by XOR) to the sum of its collection.
uint64_t sum_of(std::string_view key, uint64_t checksum);

/// The checksum of the head of a snapshot, with its agent and kind.
uint64_t checksum_of(uint64_t agent, snapshot_kind kind, const snapshot_head& head);

/// Sums the rows that are read of a snapshot.
class snapshot_rows_check {
public:
  void add(const snapshot_row& x) { sum_ += sum_of(x.number, x.checksum); }

  /// Checks that these are the rows of `head`, which was read first. If the owner has advanced the
  /// snapshot meanwhile, nothing is checked. Errors: those of the store, `internal`.
  caf::error check(store& in, uint64_t agent, snapshot_kind kind, const snapshot_head& head) const;

private:
  uint64_t sum_ = 0;
};

/// Sums the rows that are read of a collection or of an archive.
class sum_check {
public:
  static sum_check of_documents(store& in, uint64_t agent, const std::string& collection);
  static sum_check of_archive(store& in, uint64_t agent);

  /// Call it before the reading. Errors: those of the store.
  caf::error begin();
  void add(const document& x) { sum_ ^= sum_of(x.key, x.checksum); }
  void add(const archive_row& x) { sum_ ^= sum_of(x); }
  /// Call it after the reading; it checks the sum. If something was written meanwhile, nothing is
  /// checked. Errors: those of the store, `internal`.
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
