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
  promise(utf8::is_valid(masked), "a masked text is UTF-8");
  promise(masker.mask(masked) == masked, "masking again changes nothing");
  promise(!detector.finds_any(masked), "a masked text has no personal data");
  promise(detector.finds_any(bytes) == (masked != bytes), "only findings are masked");
}

} // namespace scratchpage::fuzz
