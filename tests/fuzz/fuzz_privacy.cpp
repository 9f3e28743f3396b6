#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/tests/fuzz/targets.hpp"

namespace scratchpage::fuzz {

void privacy(std::string_view bytes) {
  static const pii_masker masker;
  static const pii_detector detector;
  if (!utf8::is_valid(bytes))
    return;
  auto masked = masker.mask(bytes);
  promise(utf8::is_valid(masked), "what is masked is a text");
  promise(masker.mask(masked) == masked, "to mask twice is to mask once");
  promise(!detector.finds_any(masked), "what is masked holds no personal data");
  promise(detector.finds_any(bytes) == (masked != bytes), "only what is found is masked");
}

} // namespace scratchpage::fuzz
