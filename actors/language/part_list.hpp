#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace scratchpage {

/// Parts of texts that are looked for anywhere, within words as well, all of them in one pass.
class part_list {
public:
  /// The parts have to outlive the list; none is empty. At most 65 535.
  part_list(std::initializer_list<std::string_view> parts);

  /// Whether one of the parts occurs in the text.
  bool occurs_in(std::string_view text) const;

private:
  std::vector<std::string_view> parts_; ///< by their first byte
  /// Where those that begin with a byte are: from the number at the byte to the next number.
  std::array<uint16_t, 257> begins_{};
};

} // namespace scratchpage
