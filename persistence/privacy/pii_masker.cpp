#include "scratchpage/persistence/privacy/pii_masker.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <boost/container/static_vector.hpp>

#include "scratchpage/persistence/privacy/pii_finders.hpp"
#include "scratchpage/persistence/privacy/text_scan.hpp"

namespace scratchpage {

namespace {

/// A kind, or none for text that is no personal data but must not be searched either.
using kind_or_none = std::optional<pii_kind>;

/// What a byte is for the finders.
enum class sign : uint8_t { none, digit, joint, colon, at };

/// A joint may be between the digits of a card, a phone or a social security number: a sign that a
/// pattern of theirs has there, or a part of a character beyond ASCII.
constexpr auto sign_of_byte = [] {
  std::array<sign, 256> result{};
  std::fill(result.begin() + 0x80, result.end(), sign::joint);
  for (unsigned char c : std::string_view{" .-/()+"})
    result[c] = sign::joint;
  std::fill(result.begin() + '0', result.begin() + '9' + 1, sign::digit);
  result[':'] = sign::colon;
  result['@'] = sign::at;
  return result;
}();

/// The signs that kinds of personal data have, counted in a whole text.
struct text_signs {
  explicit text_signs(std::string_view text) {
    uint32_t together = 0;
    for (unsigned char c : text) {
      auto kind = sign_of_byte[c];
      if (kind == sign::joint)
        continue;
      together = kind == sign::digit ? together + 1 : 0;
      digits_together = std::max(digits_together, together);
      digits += kind == sign::digit ? 1 : 0;
      colons += kind == sign::colon ? 1 : 0;
      ats += kind == sign::at ? 1 : 0;
    }
  }

  /// Whether there is what some kind needs at least: an "@", the four digits of the shortest IPv4
  /// address, or a digit and two colons as in IPv6 addresses. All other kinds have more digits.
  bool are_enough_for_any() const { return ats > 0 || digits >= 4 || (digits > 0 && colons >= 2); }

  uint32_t digits = 0;
  uint32_t digits_together = 0; ///< the most that have only joints between them
  uint32_t colons = 0;
  uint32_t ats = 0;
};

struct finder {
  kind_or_none kind;
  text_ranges (*find)(std::string_view text);
  /// Whether the text has the signs that all findings have. It is quick, and most texts have not.
  bool (*may_find)(std::string_view text, const text_signs& signs);
};

struct finding {
  kind_or_none kind;
  text_range range;
};

bool has_some(std::string_view text, char sign, std::ptrdiff_t least) {
  return std::count(text.begin(), text.end(), sign) >= least;
}

bool has_at(std::string_view, const text_signs& signs) {
  return signs.ats > 0;
}

bool has_hyphens_of_uuid(std::string_view text, const text_signs&) {
  return has_some(text, '-', 4);
}

/// Whether there are two letters followed by two digits.
bool has_start_of_iban(std::string_view text, const text_signs&) {
  for (size_t i = 3; i < text.size(); ++i)
    if (is_digit(text[i]) && is_digit(text[i - 1]) && is_letter(text[i - 2])
        && is_letter(text[i - 3]))
      return true;
  return false;
}

bool has_colons(std::string_view, const text_signs& signs) {
  return signs.colons >= 2;
}

bool has_dots_of_ipv4(std::string_view text, const text_signs&) {
  return has_some(text, '.', 3);
}

template <uint32_t least>
bool has_digits(std::string_view, const text_signs& signs) {
  return signs.digits_together >= least;
}

/// The finders, the most specific first: what one finds, the later ones do not see.
constexpr std::array finders = std::to_array<finder>({
  {pii_kind::email, find_email_addresses, has_at},
  {std::nullopt, find_uuids, has_hyphens_of_uuid},
  {pii_kind::iban, find_ibans, has_start_of_iban},
  {pii_kind::ip, find_ipv6_addresses, has_colons},
  {pii_kind::ip, find_ipv4_addresses, has_dots_of_ipv4},
  {pii_kind::card, find_card_numbers, has_digits<12>},
  {pii_kind::ssn, find_social_security_numbers, has_digits<9>},
  {pii_kind::phone, find_phone_numbers, has_digits<7>},
});

/// A finding may uncover something beside it that was a part of a longer word before, so all
/// finders search the rest again. That rarely takes more than one round; the limit is for texts
/// that are made to take many.
constexpr int max_rounds = 8;

bool in_order(const finding& a, const finding& b) {
  return a.range.offset < b.range.offset;
}

/// Adds what was `found` in the part of the text that starts at `offset`, without overlaps: the
/// earliest wins, and of those that start together the longest.
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

/// Lets one finder search the gaps between `known`. Each gap is searched as a separate text, as it
/// will be between masks.
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

/// Covers everything in the gaps between `known` that could be personal data. The text was made to
/// uncover more with each finding, so it is better to mask too much of it.
void cover_gaps(std::string_view text, std::vector<finding>& known) {
  constexpr std::string_view signs = "@0123456789";
  std::vector<finding> all;
  size_t from = 0;
  auto cover_up_to = [&](size_t to) {
    auto gap = text.substr(from, to - from);
    if (text_signs{gap}.are_enough_for_any()) {
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

/// A part of a text has no signs that the text does not have, so each finder is chosen once.
std::vector<finding> find_all(std::string_view text) {
  std::vector<finding> known;
  text_signs signs{text};
  if (!signs.are_enough_for_any())
    return known;
  boost::container::static_vector<finder, finders.size()> chosen;
  for (const auto& one : finders)
    if (one.may_find(text, signs))
      chosen.push_back(one);
  for (int round = 0; round < max_rounds; ++round) {
    auto count = known.size();
    for (const auto& one : chosen)
      search_gaps(text, one, known);
    if (known.size() == count)
      return known;
  }
  cover_gaps(text, known);
  return known;
}

std::string_view view_of(json::string_view x) {
  return {x.data(), x.size()};
}

json::string_view view_of(const std::string& x) {
  return {x.data(), x.size()};
}

/// The text with the name of each kind in place of what was found.
std::string replaced(std::string_view text, const std::vector<pii_span>& found) {
  std::string result;
  size_t from = 0;
  for (const auto& x : found) {
    result.append(text.substr(from, x.offset - from))
      .append("[")
      .append(name_of(x.kind))
      .append("]");
    from = x.offset + x.length;
  }
  return result.append(text.substr(from));
}

/// `name`, followed by a number if `x` already has a member of that name.
std::string free_name(const json::object& x, const std::string& name) {
  auto result = name;
  for (size_t n = 2; x.contains(view_of(result)); ++n)
    result = name + " (" + std::to_string(n) + ")";
  return result;
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

std::string pii_masker::mask(std::string_view text) const {
  return replaced(text, detector_.find(text));
}

void pii_masker::mask(json::value& x) const {
  mask(x, 0);
}

void pii_masker::mask(json::object& x) const {
  mask(x, 0);
}

void pii_masker::mask(json::value& x, size_t depth) const {
  if (auto* text = x.if_string()) {
    auto view = view_of(json::string_view{*text});
    if (auto found = detector_.find(view); !found.empty())
      *text = view_of(replaced(view, found));
  } else if (x.is_structured() && depth == max_depth) {
    x = nullptr;
  } else if (auto* list = x.if_array()) {
    for (auto& entry : *list)
      mask(entry, depth + 1);
  } else if (auto* object = x.if_object()) {
    mask(*object, depth);
  }
}

void pii_masker::mask(json::object& x, size_t depth) const {
  mask_names(x);
  for (auto& member : x)
    mask(member.value(), depth + 1);
}

void pii_masker::mask_names(json::object& x) const {
  auto holds_some = [this](
                      const auto& member) { return detector_.finds_any(view_of(member.key())); };
  if (std::none_of(x.begin(), x.end(), holds_some))
    return;
  json::object result{x.storage()};
  for (auto& member : x) {
    auto name = free_name(result, mask(view_of(member.key())));
    result.emplace(view_of(name), std::move(member.value()));
  }
  x = std::move(result);
}

void pii_masker::mask(std::vector<std::string>& tags) const {
  if (!finds_any(tags))
    return;
  std::vector<std::string> result;
  for (const auto& tag : tags)
    if (auto masked = mask(tag); std::find(result.begin(), result.end(), masked) == result.end())
      result.push_back(std::move(masked));
  tags = std::move(result);
}

void pii_masker::mask(observation& x) const {
  x.content = mask(x.content);
  mask(x.tags);
  mask(x.context);
  mask(x.metadata);
}

void pii_masker::mask(observation_draft& x) const {
  x.content = mask(x.content);
  mask(x.tags);
  mask(x.context);
  mask(x.metadata);
}

void pii_masker::mask(observation_changes& x) const {
  if (x.content)
    x.content = mask(*x.content);
  if (x.tags)
    mask(*x.tags);
  if (x.context)
    mask(*x.context);
  if (x.metadata)
    mask(*x.metadata);
}

void pii_masker::mask(goal& x) const {
  x.title = mask(x.title);
  x.description = mask(x.description);
  for (auto& one : x.evidence)
    one.content = mask(one.content);
  mask(x.context);
  for (auto& one : x.pending_actions)
    one.description = mask(one.description);
}

void pii_masker::mask(update_goal& x) const {
  if (x.title)
    x.title = mask(*x.title);
  if (x.description)
    x.description = mask(*x.description);
}

void pii_masker::mask(fact& x) const {
  x.statement = mask(x.statement);
  mask(x.tags);
}

void pii_masker::mask(item_draft& x) const {
  x.title = mask(x.title);
  x.body = mask(x.body);
  mask(x.tags);
  if (x.phase)
    x.phase = mask(*x.phase);
}

void pii_masker::mask(item_changes& x) const {
  for (auto* text : {&x.title, &x.body, &x.phase})
    if (*text)
      *text = mask(**text);
  if (x.tags)
    mask(*x.tags);
}

void pii_masker::mask(chat_message& x) const {
  x.content = mask(x.content);
  for (auto& call : x.calls)
    call.arguments = mask(call.arguments);
}

// -- searching without masking --------------------------------------------------------

bool pii_masker::finds_any(const observation& x) const {
  return detector_.finds_any(x.content) || finds_any(x.tags) || finds_any(x.context, 0)
         || finds_any(x.metadata, 0);
}

bool pii_masker::finds_any(const std::vector<std::string>& tags) const {
  return std::any_of(
    tags.begin(), tags.end(), [this](const std::string& tag) { return detector_.finds_any(tag); });
}

bool pii_masker::finds_any(const json::value& x, size_t depth) const {
  if (const auto* text = x.if_string())
    return detector_.finds_any(view_of(json::string_view{*text}));
  if (x.is_structured() && depth == max_depth)
    return true; // such values are masked, too
  if (const auto* list = x.if_array())
    return std::any_of(list->begin(), list->end(),
      [&](const json::value& entry) { return finds_any(entry, depth + 1); });
  return x.is_object() && finds_any(x.get_object(), depth);
}

bool pii_masker::finds_any(const json::object& x, size_t depth) const {
  return std::any_of(x.begin(), x.end(), [&](const auto& member) {
    return detector_.finds_any(view_of(member.key())) || finds_any(member.value(), depth + 1);
  });
}

} // namespace scratchpage
