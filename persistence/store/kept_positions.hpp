#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scratchpage/messages/journal.hpp"
#include "scratchpage/persistence/store/documents.hpp"

namespace scratchpage {

/// Up to where a subscriber has seen a page's changes.
struct kept_position {
  std::string name;
  uint64_t sequence = 0;
  uint64_t epoch = 0; ///< of the page, when it saw that

  static constexpr auto fields(auto all) {
    using self = kept_position;
    return all(required("name", &self::name), required("sequence", &self::sequence),
      required("epoch", &self::epoch));
  }
};

/// The positions of subscribers that have a name for it, so that they go on where
/// they were after a break or a restart. They are written behind the subscribers:
/// what a crash takes is delivered once more.
class kept_positions {
public:
  explicit kept_positions(size_t most)
    : most_{most} {}

  void restore(const std::vector<kept_position>& known);

  /// Whether one of that name is known, or another has room.
  bool has_room_for(const std::string& name) const;
  std::optional<kept_position> find(const std::string& name) const;

  void note(kept_position now);
  void forget(const std::string& name);

  /// What has changed since it was last taken; it is with the caller now.
  std::vector<kept_document> take_changed();
  /// They could not be written, and are changed still.
  void put_back(const std::vector<kept_document>& refused);

private:
  size_t most_;
  std::map<std::string, kept_position> known_;
  std::set<std::string> changed_; // names
};

} // namespace scratchpage
