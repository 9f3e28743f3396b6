#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/messages/text/key_text.hpp"

namespace scratchpage {

/// What was read of the short texts that were read last. Dozens of rules look at one sentence, one
/// after the other, and many of them want the same of it. Each thread has one of its own for each
/// kind of reading; it is bounded.
template <class T>
class recent_readings {
public:
  static constexpr size_t short_text = 256; ///< bytes; longer texts are read each time
  static constexpr size_t kept = 32;

  /// What `read` gives for the text, which must depend on the text alone. A copy, because the rules
  /// that `read` calls may read other texts.
  template <class F>
  T of(std::string_view text, F read) {
    if (text.size() > short_text)
      return read(text);
    auto& place = known_.at(keyed_hash(text) % kept);
    if (!place.is_used || place.text != text) {
      auto made = read(text);
      place = {std::string{text}, std::move(made), true};
    }
    return place.made;
  }

private:
  struct reading {
    std::string text;
    T made{};
    bool is_used = false;
  };

  std::array<reading, kept> known_;
};

} // namespace scratchpage
