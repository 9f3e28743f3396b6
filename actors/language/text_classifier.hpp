#pragma once

#include <cstddef>
#include <map>
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
  /// Reads weights as `training/` writes them: a line "classes", a tab and the names of the
  /// classes, each after a tab; then a line for each feature, the feature first, then its weight
  /// for each class. A feature that is not listed says nothing. Error: `invalid_request`, which
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
  std::vector<std::string> classes_;
  std::map<std::string, std::vector<double>, std::less<>> weights_; ///< for each class
};

} // namespace scratchpage
