#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/persistence/privacy/pii_masker.hpp"

namespace scratchpage::test {

/// The findings in `text`, as "email<a@b.org> ip<::1>".
inline std::string found(std::string_view text) {
  std::string result;
  for (const auto& x : pii_detector{}.find(text))
    result.append(result.empty() ? "" : " ")
      .append(name_of(x.kind))
      .append("<")
      .append(text.substr(x.offset, x.length))
      .append(">");
  return result;
}

/// Tests that the detector finds in each text exactly the part in angle brackets, as `kind`.
inline void check_each_holds(pii_kind kind, const std::vector<std::string>& marked_texts) {
  for (const auto& marked : marked_texts) {
    auto from = marked.find('<');
    auto to = marked.rfind('>');
    auto inner = marked.substr(from + 1, to - from - 1);
    auto text = marked.substr(0, from) + inner + marked.substr(to + 1);
    BOOST_TEST(found(text) == to_string(kind) + "<" + inner + ">",
      "in: " << text << ", found: " << found(text));
  }
}

inline void check_none_holds_any(const std::vector<std::string>& texts) {
  for (const auto& text : texts)
    BOOST_TEST(found(text) == "", "in: " << text << ", found: " << found(text));
}

} // namespace scratchpage::test
