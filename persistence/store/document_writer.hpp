#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// Writes documents. What the store refused may have been
/// written all the same, if it failed while it answered: the next write puts
/// such documents back to what they were.
class document_writer {
public:
  document_writer(std::shared_ptr<store> in, const ownership& by)
    : store_{std::move(in)},
      by_{by} {}

  /// Remembers what a document is now, as it was read.
  void remember(document x);

  /// All of `rows`, or none. Error: the store's.
  caf::error put(std::vector<document> rows);

private:
  using place = std::pair<std::string, std::string>; // collection and key

  std::shared_ptr<store> store_;
  ownership by_;
  std::map<place, std::string> kept_; // their bodies
  std::set<place> doubtful_;          // where there may be what was refused
};

} // namespace scratchpage
