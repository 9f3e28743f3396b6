#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// Writes the documents of one collection. What the store refused may have been
/// written all the same, if it failed while it answered: the next write puts
/// such documents back to what they were.
class document_writer {
public:
  document_writer(std::shared_ptr<store> in, const ownership& by, std::string_view collection)
    : store_{std::move(in)},
      by_{by},
      collection_{collection} {}

  /// Remembers what a document is now, as it was read; "" is what it is without.
  void remember(std::string key, std::string body);

  /// All of `rows`, which are of the collection, or none. Error: the store's.
  caf::error put(std::vector<document> rows);

private:
  std::shared_ptr<store> store_;
  ownership by_;
  std::string collection_;
  std::unordered_map<std::string, std::string> kept_; // bodies by key
  std::set<std::string> doubtful_;                    // keys that may hold what was refused
};

} // namespace scratchpage
