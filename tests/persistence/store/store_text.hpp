#pragma once

#include <string>
#include <vector>

#include "scratchpage/persistence/store/store.hpp"

/// The contents of stores as text, which is easy to compare and shows differences.

namespace scratchpage::test {

std::string text_of(const caf::error& x);                ///< "ok", or the code and the field
std::string texts_of(const std::vector<caf::error>& xs); ///< as "ok,conflict epoch,"
std::string text_of(const ownership& x);
std::string text_of(const journal_group& x);
std::string text_of(const archive_row& x);
std::string text_of(const snapshot_head& x);
std::string text_of(const snapshot_row& x);
std::string text_of(const document& x);

template <class T>
std::string text_of(const std::vector<T>& xs) {
  std::string result;
  for (const auto& x : xs)
    result += text_of(x) + '\n';
  return result;
}

/// The contents of all agents, with documents of the collections `in`. An error is in the place
/// where it occurred.
std::string contents_of(store& x, const std::vector<std::string>& in = {"goals", "facts", ""});

} // namespace scratchpage::test
