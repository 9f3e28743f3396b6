#include "scratchpage/persistence/privacy/pii_detector.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "scratchpage/persistence/privacy/card_numbers.hpp"
#include "scratchpage/persistence/privacy/email_addresses.hpp"
#include "scratchpage/persistence/privacy/iban.hpp"
#include "scratchpage/persistence/privacy/ip_addresses.hpp"
#include "scratchpage/persistence/privacy/phone_numbers.hpp"
#include "scratchpage/persistence/privacy/social_security_numbers.hpp"
#include "scratchpage/persistence/privacy/text_scan.hpp"
#include "scratchpage/persistence/privacy/uuid.hpp"

namespace scratchpage {

namespace {

/// No kind: what is no personal data, but not to be looked into either.
using kind_or_none = std::optional<pii_kind>;

struct finder {
  kind_or_none kind;
  text_ranges (*find)(std::string_view text);
};

struct finding {
  kind_or_none kind;
  text_range range;
};

/// The most specific first: what one takes, those behind it do not see.
constexpr std::array finders = std::to_array<finder>({
  {pii_kind::email, find_email_addresses},
  {std::nullopt, find_uuids},
  {pii_kind::iban, find_ibans},
  {pii_kind::ip, find_ipv6_addresses},
  {pii_kind::ip, find_ipv4_addresses},
  {pii_kind::card, find_card_numbers},
  {pii_kind::ssn, find_social_security_numbers},
  {pii_kind::phone, find_phone_numbers},
});

/// What is found may uncover something beside it, which was a part of a longer
/// word before, so all look again at what is left. Seldom does that take more
/// than one round; a text made to take many shall not.
constexpr int max_rounds = 8;

bool in_order(const finding& a, const finding& b) {
  return a.range.offset < b.range.offset;
}

/// Adds what was `found` in a part of the text that starts at `offset`: the
/// earliest first, of those that start together the longest, without overlaps.
void append(std::vector<finding>& to, kind_or_none kind, size_t offset, text_ranges found) {
  std::sort(found.begin(), found.end(), [](const text_range& a, const text_range& b) {
    return a.offset != b.offset ? a.offset < b.offset : a.length > b.length;
  });
  size_t taken = 0;
  for (const auto& x : found)
    if (x.offset >= taken) {
      to.push_back({kind, {offset + x.offset, x.length}});
      taken = x.end();
    }
}

/// Lets one finder look at what is left between `known`; each piece is a text of
/// its own to it, as it will be between masks.
void search_gaps(std::string_view text, const finder& one, std::vector<finding>& known) {
  std::vector<finding> found;
  size_t from = 0;
  auto search_up_to = [&](size_t to) {
    append(found, one.kind, from, one.find(text.substr(from, to - from)));
  };
  for (const auto& x : known) {
    search_up_to(x.range.offset);
    from = x.range.end();
  }
  search_up_to(text.size());
  auto middle = known.insert(known.end(), found.begin(), found.end());
  std::inplace_merge(known.begin(), middle, known.end(), in_order);
}

/// Whether `text` has what every kind needs: an "@", the four digits of the shortest
/// address of version 4, or a digit and two colons as version 6 has them at least. What
/// else there is has more digits.
bool may_hold_any(std::string_view text) {
  size_t digits = 0;
  size_t colons = 0;
  for (auto c : text) {
    if (c == '@')
      return true;
    digits += is_digit(c) ? 1 : 0;
    colons += c == ':' ? 1 : 0;
    if (digits >= 4 || (digits > 0 && colons >= 2))
      return true;
  }
  return false;
}

/// Takes all that could be some between `known`: better too much of a text that was made
/// to hide more behind each finding than something of it.
void cover_gaps(std::string_view text, std::vector<finding>& known) {
  constexpr std::string_view signs = "@0123456789";
  std::vector<finding> all;
  size_t from = 0;
  auto cover_up_to = [&](size_t to) {
    auto gap = text.substr(from, to - from);
    if (may_hold_any(gap)) {
      auto first = gap.find_first_of(signs);
      auto length = gap.find_last_of(signs) + 1 - first;
      all.push_back({pii_kind::phone, {from + first, length}});
    }
  };
  for (const auto& x : known) {
    cover_up_to(x.range.offset);
    all.push_back(x);
    from = x.range.end();
  }
  cover_up_to(text.size());
  known = std::move(all);
}

/// Two letters and the two digits of its checksum.
bool holds_start_of_iban(std::string_view text) {
  for (size_t i = 3; i < text.size(); ++i)
    if (is_digit(text[i]) && is_digit(text[i - 1]) && is_letter(text[i - 2])
        && is_letter(text[i - 3]))
      return true;
  return false;
}

/// Whether there is anything that the finders could find, of which each text asks a dozen
/// patterns: beyond `may_hold_any`, the seven digits of the shortest number of a phone, the
/// dots of an address of version 4, or the start of an IBAN.
bool is_worth_a_look(std::string_view text) {
  constexpr std::ptrdiff_t least_digits = 7;
  if (!may_hold_any(text))
    return false;
  auto count = [&](char x) { return std::count(text.begin(), text.end(), x); };
  return std::count_if(text.begin(), text.end(), is_digit) >= least_digits || count('.') >= 3
         || count(':') >= 2 || count('@') > 0 || holds_start_of_iban(text);
}

std::vector<finding> find_all(std::string_view text) {
  std::vector<finding> known;
  if (!is_worth_a_look(text))
    return known;
  for (int round = 0; round < max_rounds; ++round) {
    auto count = known.size();
    for (const auto& one : finders)
      search_gaps(text, one, known);
    if (known.size() == count)
      return known;
  }
  cover_gaps(text, known);
  return known;
}

} // namespace

std::vector<pii_kind> all_pii_kinds() {
  std::vector<pii_kind> result;
  for (size_t i = 0; i < enum_names<pii_kind>.size(); ++i)
    result.push_back(static_cast<pii_kind>(i));
  return result;
}

pii_detector::pii_detector(const std::vector<pii_kind>& kinds)
  : kinds_{kinds} {}

std::vector<pii_span> pii_detector::find(std::string_view text) const {
  std::vector<pii_span> result;
  for (const auto& x : find_all(text))
    if (x.kind && wants(*x.kind))
      result.push_back({*x.kind, x.range.offset, x.range.length});
  return result;
}

bool pii_detector::finds_any(std::string_view text) const {
  return !find(text).empty();
}

bool pii_detector::wants(pii_kind kind) const {
  return std::find(kinds_.begin(), kinds_.end(), kind) != kinds_.end();
}

} // namespace scratchpage
