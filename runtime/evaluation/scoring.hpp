#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/enum_names.hpp"

namespace scratchpage {

/// What is measured.
enum class figure : uint8_t {
  urgency,
  waiting,
  answered,
  asks_user,
  error_class,
  recovery_action,
  assessment,
  goals_opened,
  goals_completed,
  goals_abandoned,
};

template <>
inline constexpr std::array<std::string_view, 10> enum_names<figure>{"urgency", "waiting",
  "answered", "asks_user", "error_class", "recovery_action", "assessment", "goals_opened",
  "goals_completed", "goals_abandoned"};

inline constexpr size_t figure_count = enum_names<figure>.size();

/// The daemon whose decision it is. Those of one daemon follow each other.
std::string_view daemon_of(figure x);

/// How often something was found that should be, was found without need, and was missed.
struct tally {
  uint64_t tp = 0;
  uint64_t fp = 0;
  uint64_t fn = 0;
  uint64_t cases = 0;     ///< labels that were counted; 0 for a single value
  uint64_t otherwise = 0; ///< of them, those that were judged otherwise

  /// The share of what was found that is right; nothing if nothing was found.
  std::optional<double> precision() const;
  /// The share of what should be found that was; nothing if nothing should.
  std::optional<double> recall() const;
  /// The harmonic mean of both; nothing if there was nothing to find, and nothing was found.
  std::optional<double> f1() const;

  bool is_empty() const { return tp + fp + fn + cases == 0; }
  tally& operator+=(const tally& x);
  bool operator==(const tally&) const = default;
};

/// Counts decisions against labels.
class scoring {
public:
  /// Counts a decision for names: `accepted` are the right ones, "" stands for none; `found` has
  /// those that were decided, and is empty for none. Each name counts by itself, too. A name that
  /// is found without need is a false positive of itself; if none of the accepted ones is found,
  /// that is a miss of the first of them. For `waiting` the figure as a whole only counts whether
  /// anything is found. Returns whether the decision is as labelled.
  bool count(
    figure what, const std::vector<std::string>& accepted, const std::vector<std::string>& found);

  /// Counts how many there should be and how many there are. Returns whether these are the same.
  bool count(figure what, uint64_t wanted, uint64_t found);

  const tally& of(figure what) const { return all_[static_cast<size_t>(what)]; }

  /// The counts of each name, in alphabetical order.
  const std::map<std::string, tally>& values_of(figure what) const {
    return values_[static_cast<size_t>(what)];
  }

  /// The sum of a daemon's figures.
  tally of_daemon(std::string_view daemon) const;

private:
  bool note(figure what, bool is_right);

  std::array<tally, figure_count> all_{};
  std::array<std::map<std::string, tally>, figure_count> values_;
};

/// A row of the table: of a daemon (without a figure), a figure, or a single value of one.
struct score_row {
  std::string daemon;
  std::string figure; ///< "": the sum of the daemon
  std::string value;  ///< "": the figure as a whole
  tally counts;
  tally against; ///< of the second configuration, if there is one
};

/// The rows of what was counted, grouped by daemons. `against` may be null.
std::vector<score_row> rows_of(const scoring& x, const scoring* against);

} // namespace scratchpage
