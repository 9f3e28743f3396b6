#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/journal.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// The stored form of the beginning of an epoch.
struct stored_epoch {
  uint64_t epoch = 0;
  uint64_t after = 0;   ///< the last sequence before it
  uint64_t numbers = 0; ///< the last number of an observation that anybody may have seen
  uint64_t unkept = 0;  ///< changes of this epoch that may be seen before they are stored

  static constexpr auto fields(auto all) {
    using self = stored_epoch;
    return all(required("epoch", &self::epoch), required("after", &self::after),
      optional("numbers", &self::numbers), optional("unkept", &self::unkept));
  }
};

/// The highest number that an observation may have, if the last one in the journal is
/// `last_number`. Each lost change may have used at most one number.
inline uint64_t last_given(uint64_t last_number, const std::vector<stored_epoch>& known) {
  auto is_earlier = [](const stored_epoch& a, const stored_epoch& b) { return a.epoch < b.epoch; };
  auto last = std::max_element(known.begin(), known.end(), is_earlier);
  return last == known.end() ? last_number : std::max(last_number + last->unkept, last->numbers);
}

namespace counter_name {

inline constexpr std::string_view turns = "turns";
/// Numbers in the ids of goals and of facts that were removed.
inline constexpr std::string_view goals = "goals";
inline constexpr std::string_view facts = "facts";
/// Numbers of observations that a page has used but that are not in its journal.
inline constexpr std::string_view observations = "observations";

} // namespace counter_name

/// The stored form of a counter.
struct stored_number {
  std::string name;
  uint64_t reserved = 0; ///< numbers up to this one may have been used

  static constexpr auto fields(auto all) {
    return all(
      required("name", &stored_number::name), required("reserved", &stored_number::reserved));
  }
};

/// The last reserved number of an observation, or of another counter; 0 if none is reserved.
uint64_t reserved_in(
  const std::vector<stored_number>& counters, std::string_view name = counter_name::observations);

/// A source of numbers from 1 on, none of which is given twice.
class number_source {
public:
  virtual ~number_source() = default;
  virtual caf::expected<uint64_t> next() = 0;

  /// The last number that was given; 0 if there was none.
  virtual uint64_t last() const = 0;

  /// Goes on after `last`, which was the last number before a rest: all later ones are still free.
  virtual void go_on_after(uint64_t last) = 0;
};

/// A source of numbers that begins again with each process.
class counter : public number_source {
public:
  caf::expected<uint64_t> next() override { return ++last_; }
  uint64_t last() const override { return last_; }
  void go_on_after(uint64_t last) override { last_ = last; }

private:
  uint64_t last_ = 0;
};

/// A source of numbers that are not given again after a restart either. It reserves them in the
/// store a hundred at a time. Reserved numbers that a process did not use are skipped.
class id_allocator : public number_source {
public:
  static constexpr uint64_t at_once = 100; ///< numbers that one commit reserves

  /// `name` distinguishes the counters of an agent. Errors: as `read_all`.
  static caf::expected<std::shared_ptr<id_allocator>> open(
    std::shared_ptr<store> in, const ownership& by, std::string name);

  /// The next number. Errors: those of the store; then no number is used.
  caf::expected<uint64_t> next() override;

  uint64_t last() const override { return last_; }
  /// Others may have reserved numbers meanwhile, so it goes on only within the last hundred.
  void go_on_after(uint64_t last) override;

private:
  id_allocator(std::shared_ptr<store> in, const ownership& by, std::string name);

  std::shared_ptr<store> store_;
  ownership by_;
  std::string name_;
  uint64_t last_ = 0;
  uint64_t reserved_ = 0;
};

/// The position up to which a subscriber has seen the changes of a page.
struct stored_position {
  std::string name;
  uint64_t sequence = 0;
  uint64_t epoch = 0; ///< of the page, when the subscriber saw that change

  static constexpr auto fields(auto all) {
    using self = stored_position;
    return all(required("name", &self::name), required("sequence", &self::sequence),
      required("epoch", &self::epoch));
  }
};

/// The positions of named subscribers, so that they continue where they were after a pause or a
/// restart. Positions are written later than they change: after a crash, some events are delivered
/// again.
class subscriber_positions {
public:
  explicit subscriber_positions(size_t most)
    : most_{most} {}

  void restore(const std::vector<stored_position>& known);

  /// Whether the name is known, or there is room for another one.
  bool has_room_for(const std::string& name) const;
  std::optional<stored_position> find(const std::string& name) const;

  void note(stored_position now);
  void forget(const std::string& name);

  /// Whether a position has changed since the last call of `take_changed`.
  bool is_any_changed() const { return !changed_.empty(); }
  /// The positions that have changed since the last call, for the caller to write.
  std::vector<kept_document> take_changed();
  /// Takes back positions that could not be written, so that the next call gives them again.
  void put_back(const std::vector<kept_document>& refused);

private:
  size_t most_;
  std::map<std::string, stored_position> known_;
  std::set<std::string> changed_; // names
};

} // namespace scratchpage
