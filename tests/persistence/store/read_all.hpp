#pragma once

#include <string>
#include <vector>

#include "scratchpage/persistence/store/store.hpp"
#include "scratchpage/tests/persistence/store/store_text.hpp"

/// Everything that a call of a store reads, as text: one row a line, and an error as the last line.

namespace scratchpage::test {

/// `read(f)` calls `f` with each row.
template <class T, class Read>
std::string lines(Read read) {
  std::vector<T> rows;
  auto err = read([&](T&& x) {
    rows.push_back(std::move(x));
    return true;
  });
  return text_of(rows) + (err ? text_of(err) + '\n' : "");
}

inline std::string read_journal(store& x, uint64_t agent, uint64_t after = 0) {
  return lines<journal_group>([&](auto f) { return x.read_journal(agent, after, f); });
}

inline std::string read_archive(store& x, uint64_t agent, const archive_range& range = {}) {
  return lines<archive_row>([&](auto f) { return x.read_archive(agent, range, f); });
}

inline std::string read_snapshot(store& x, uint64_t agent, snapshot_kind kind) {
  return lines<snapshot_row>([&](auto f) { return x.read_snapshot(agent, kind, f); });
}

inline std::string read_documents(store& x, uint64_t agent, const std::string& collection) {
  return lines<document>([&](auto f) { return x.read_documents(agent, collection, f); });
}

inline std::string find_documents(
  store& x, uint64_t agent, const std::string& collection, const document_range& range = {}) {
  return lines<document>([&](auto f) { return x.find_documents(agent, collection, range, f); });
}

} // namespace scratchpage::test
