#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

namespace scratchpage {

/// What a classifier decided about a text.
struct text_class {
  std::string_view name;  ///< of the most probable class; valid as long as the classifier
  double probability = 0; ///< in [0, 1]
};

/// Decides what kind of text a text is: a multinomial logistic regression over `text_features`.
class text_classifier {
public:
  /// Reads weights as `training/` writes them: a line "hundredths", a tab and the names of the
  /// classes, each after a tab; then a line for each feature, in the order of their bytes: the
  /// feature, and after a tab each its weight for each class in hundredths, which is left out if it
  /// is 0. A feature that is not listed says nothing. Reading only finds the lines, so that it
  /// takes little time; `weights` has to outlive the classifier. Error: `invalid_request`, which
  /// names the line.
  static caf::expected<text_classifier> read(std::string_view weights);

  /// Of a text without any known feature, the first class is the most probable one if all are
  /// equal.
  text_class classify(std::string_view text) const;

  /// The probability of each class, in the order of `classes`; they add up to 1.
  std::vector<double> probabilities(std::string_view text) const;

  /// The probability of one class; 0 if there is no such class.
  double probability(std::string_view text, std::string_view name) const;

  const std::vector<std::string>& classes() const { return classes_; }

private:
  /// Where a feature is in the text of the weights.
  struct place {
    uint32_t at;
    uint16_t bytes; ///< of the feature
  };

  /// Tells a feature by its hash, so that others are seldom compared with it.
  struct slot {
    uint32_t tag;
    uint32_t number; ///< one more than the index of a place, 0 if the slot is free
  };

  std::string_view feature_at(const place& x) const { return weights_.substr(x.at, x.bytes); }
  void make_slots();
  const place* find(std::string_view feature) const;
  void add(const place& x, std::span<int64_t> to) const;

  std::vector<std::string> classes_;
  std::string_view weights_;
  std::vector<place> places_; ///< in the order of the features
  std::vector<slot> slots_;   ///< a hash table
};

} // namespace scratchpage
