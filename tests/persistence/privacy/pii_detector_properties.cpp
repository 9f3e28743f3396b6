#include <algorithm>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/tests/persistence/privacy/pii_samples.hpp"

namespace scratchpage {

using namespace test;

namespace {

bool finds(pii_kind kind, std::string_view text) {
  auto spans = pii_detector{}.find(text);
  return std::any_of(spans.begin(), spans.end(), [&](const pii_span& x) { return x.kind == kind; });
}

/// Whether the detector finds exactly `inner` between other words.
bool finds_all_of(pii_kind kind, const std::string& inner) {
  auto text = "paid with " + inner + ", thanks";
  return pii_detector{}.find(text) == std::vector{pii_span{kind, 10, inner.size()}};
}

void check(const char* sentence, const std::function<void()>& property) {
  BOOST_TEST(rc::check(sentence, property));
}

void masks_all_at_once(const std::string& text) {
  pii_masker masker;
  auto masked = masker.mask(text);
  RC_ASSERT(pii_detector{}.find(masked).empty());
  RC_ASSERT(masker.mask(masked) == masked);
}

/// A random text without digits, "@" and colons.
std::string some_harmless_text() {
  return *rc::gen::container<std::string>(
    rc::gen::element('a', 'b', 'Z', '_', ' ', '.', ',', '-', '(', '[', ']', '/', '#', '\n'));
}

} // namespace

BOOST_AUTO_TEST_SUITE(properties)

BOOST_AUTO_TEST_CASE(a_masked_text_holds_nothing_more) {
  check("of pieces that join", [] { masks_all_at_once(some_misleading_text()); });
  check("of any bytes", [] { masks_all_at_once(*rc::gen::arbitrary<std::string>()); });
  check("of digits and what separates them", [] {
    masks_all_at_once(
      *rc::gen::container<std::string>(rc::gen::element('0', '1', '2', '4', '5', '9', '0', '1', '2',
        '4', '6', '9', ' ', '-', '.', '/', ':', '+', '(', ')', 'a', 'D', 'E', '@', '_')));
  });
}

BOOST_AUTO_TEST_CASE(a_text_without_personal_data_stays_as_it_is) {
  check("byte for byte", [] {
    auto text =
      some_harmless_text() + std::to_string(*rc::gen::inRange(0, 1000)) + some_harmless_text();
    RC_ASSERT(pii_masker{}.mask(text) == text);
  });
  check("whatever is not masked stays", [] {
    auto text = some_misleading_text();
    if (pii_detector{}.find(text).empty())
      RC_ASSERT(pii_masker{}.mask(text) == text);
  });
}

BOOST_AUTO_TEST_CASE(spans_are_in_order_and_between_characters) {
  check("in every text", [] {
    auto text = some_misleading_text();
    size_t from = 0;
    for (const auto& x : pii_detector{}.find(text)) {
      RC_ASSERT(x.offset >= from && x.length > 0 && x.offset + x.length <= text.size());
      RC_ASSERT(utf8::is_valid(std::string_view{text}.substr(from, x.offset - from)));
      RC_ASSERT(utf8::is_valid(std::string_view{text}.substr(x.offset, x.length)));
      from = x.offset + x.length;
    }
  });
}

BOOST_AUTO_TEST_CASE(a_card_is_always_found_and_a_mistyped_one_never) {
  check("in one piece", [] {
    auto card = some_card();
    RC_ASSERT(finds_all_of(pii_kind::card, card));
    RC_ASSERT(!finds(pii_kind::card, with_one_digit_changed(card)));
  });
  check("in its groups", [] {
    auto card = some_card();
    auto written = in_groups(card, *rc::gen::element<std::string>(" ", "-", ".", "\u00A0"));
    RC_ASSERT(finds_all_of(pii_kind::card, written));
    // With more digits, the first sixteen may be another card, followed by a security code.
    if (card.size() <= 16)
      RC_ASSERT(!finds(pii_kind::card, with_one_digit_changed(written)));
  });
}

BOOST_AUTO_TEST_CASE(an_iban_is_always_found_and_a_mistyped_one_never) {
  check("in one piece and on paper", [] {
    auto iban = some_iban();
    std::string paper;
    for (size_t i = 0; i < iban.size(); i += 4)
      paper += (i > 0 ? " " : "") + iban.substr(i, 4);
    for (const auto& written : {iban, paper}) {
      RC_ASSERT(finds_all_of(pii_kind::iban, written));
      RC_ASSERT(!finds(pii_kind::iban, with_one_digit_changed(written)));
    }
  });
}

BOOST_AUTO_TEST_CASE(an_address_of_four_octets_is_always_found) {
  check("and no more than it", [] {
    std::string address;
    for (int i = 0; i < 4; ++i)
      address += (i > 0 ? "." : "") + std::to_string(*rc::gen::inRange(0, 256));
    RC_ASSERT(finds_all_of(pii_kind::ip, address));
  });
}

BOOST_AUTO_TEST_CASE(a_social_security_number_is_found_if_it_may_be_one) {
  check("and only then", [] {
    auto area = *rc::gen::inRange(0, 1000);
    auto group = *rc::gen::inRange(0, 100);
    auto serial = *rc::gen::inRange(0, 10000);
    auto padded = [](int x, size_t width) {
      auto text = std::to_string(x);
      return std::string(width - text.size(), '0') + text;
    };
    auto text = padded(area, 3) + "-" + padded(group, 2) + "-" + padded(serial, 4);
    auto may_be_one = area != 0 && area != 666 && area < 900 && group != 0 && serial != 0;
    RC_ASSERT(finds_all_of(pii_kind::ssn, text) == may_be_one);
    RC_ASSERT(pii_detector{}.finds_any(text) == may_be_one);
  });
}

BOOST_AUTO_TEST_CASE(ids_times_and_uuids_are_nothing) {
  check("whatever their digits", [] {
    auto hex = [](size_t n) {
      return *rc::gen::container<std::string>(
        n, rc::gen::element('0', '1', '4', '5', '6', '9', 'a', 'b', 'e', 'f'));
    };
    RC_ASSERT(!pii_detector{}.finds_any("obs_2025" + some_digits(4) + "_" + some_digits(3)));
    RC_ASSERT(!pii_detector{}.finds_any(to_rfc3339(
      timestamp{std::chrono::milliseconds{*rc::gen::inRange<int64_t>(0, 4'000'000'000'000)}})));
    RC_ASSERT(!pii_detector{}.finds_any(
      hex(8) + "-" + hex(4) + "-4" + hex(3) + "-a" + hex(3) + "-" + hex(12)));
  });
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
