#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scratchpage {

struct feature_limits {
  static constexpr size_t text_bytes = 2'048; ///< of a text that are read
  static constexpr size_t features = 2'048;   ///< of one text
};

/// What a classifier sees of a text: its words, the pairs and triples of neighbouring words, how
/// the text begins and ends, and for scripts without spaces the characters and pairs of them. All
/// numbers look alike. Each feature is there once, in no particular order.
std::vector<std::string> text_features(std::string_view text);

/// The same features as parts of one text, some of them more than once: made with few allocations,
/// for those who only look them up.
class feature_parts {
public:
  explicit feature_parts(std::string_view text);

  size_t size() const { return parts_.size(); }

  /// The feature at `i`, valid as long as this object.
  std::string_view operator[](size_t i) const {
    return std::string_view{text_}.substr(parts_[i].at, parts_[i].bytes);
  }

private:
  struct part {
    uint32_t at;
    uint32_t bytes;
  };

  void add_tokens(const std::string& word);
  void add_token(std::string_view token);
  void add_runs();
  void add_marks(std::string_view text);
  void add_mark(std::string_view sign);

  std::string text_; ///< the tokens with a space between them, then the marks
  std::vector<part> tokens_;
  std::vector<part> parts_;
};

} // namespace scratchpage
