#include "scratchpage/actors/page/index/subject_index.hpp"

#include <algorithm>

#include "scratchpage/actors/page/index/field_index.hpp"
#include "scratchpage/messages/text/key_text.hpp"

namespace scratchpage {

namespace {

/// Reads a text character by character, in lower case, with each run of white space as one blank
/// and none at the ends.
class folded {
public:
  explicit folded(std::string_view text)
    : text_{text} {
    skip_blanks();
  }

  /// The next character; 0 at the end.
  char next() {
    if (text_.empty())
      return 0;
    auto x = text_.front();
    if (is_blank(x)) {
      skip_blanks();
      return text_.empty() ? 0 : ' ';
    }
    text_.remove_prefix(1);
    return x >= 'A' && x <= 'Z' ? static_cast<char>(x + 32) : x;
  }

private:
  static bool is_blank(char x) { return x == ' ' || (x >= '\t' && x <= '\r'); }

  void skip_blanks() {
    while (!text_.empty() && is_blank(text_.front()))
      text_.remove_prefix(1);
  }

  std::string_view text_;
};

/// The scalar with that name if there is one that is not null; otherwise a null pointer.
const json::value* find_scalar(const json::object& in, std::string_view name) {
  if (in.empty())
    return nullptr;
  const auto* found = in.if_contains({name.data(), name.size()});
  return found != nullptr && !found->is_structured() && !found->is_null() ? found : nullptr;
}

const json::value* goal_of(const observation& x) {
  return x.tags.empty() ? nullptr : find_scalar(x.context, "goal_id");
}

const json::value* key_of(const observation& x) {
  return find_scalar(x.metadata, "key");
}

std::string spell(const json::value& scalar) {
  std::string result;
  spell_scalar(scalar, result);
  return result;
}

size_t hash_of(const json::value& scalar) {
  text_hash hash;
  // The id of a goal is nearly always a string, and then no copy is made.
  return scalar.is_string() ? hash(std::string_view{scalar.get_string()}) : hash(spell(scalar));
}

bool equal(const json::value* a, const json::value* b) {
  return a != nullptr && b != nullptr && spell(*a) == spell(*b);
}

std::string readable(const json::value& scalar) {
  return scalar.is_string() ? std::string{std::string_view{scalar.get_string()}}
                            : json::serialize(scalar);
}

uint32_t fold(size_t hash) {
  return static_cast<uint32_t>(hash ^ (hash >> 32)) | 1;
}

} // namespace

bool say_the_same(std::string_view a, std::string_view b) {
  if (a == b)
    return true;
  folded left{a};
  folded right{b};
  for (;;) {
    auto x = left.next();
    if (x != right.next())
      return false;
    if (x == 0)
      return true;
  }
}

size_t hash_of_saying(std::string_view text) {
  static const size_t secret = keyed_hash({}); // it differs from process to process
  size_t result = secret;
  folded letters{text};
  while (auto x = letters.next())
    result = mix(result, static_cast<unsigned char>(x));
  return result;
}

bool same_subject(subject_kind kind, const observation& a, const observation& b) {
  if (a.type != b.type)
    return false;
  if (kind == subject_kind::key)
    return equal(key_of(a), key_of(b));
  return equal(goal_of(a), goal_of(b)) && a.tags.size() == b.tags.size()
         && std::is_permutation(a.tags.begin(), a.tags.end(), b.tags.begin());
}

std::string readable_subject(const observation& x) {
  if (const auto* key = key_of(x))
    return x.type + ", key " + readable(*key);
  const auto* goal = goal_of(x);
  if (goal == nullptr)
    return {};
  auto tags = x.tags;
  std::sort(tags.begin(), tags.end());
  auto result = x.type + ", tags ";
  for (const auto& tag : tags)
    result.append(&tag == &tags.front() ? "" : " + ").append(tag);
  return result + ", goal " + readable(*goal);
}

void subject_index::add(uint32_t slot, const observation& x, const lookup& at) {
  for (auto key : keys_of(x)) {
    if (key == 0)
      continue;
    auto* group = groups_.find(key);
    if (group == nullptr)
      group = groups_.insert(key, {key, slot_set{}});
    // As long as all say the same, it is enough to compare with one of them.
    if (!group->second.empty() && !mixed_.contains(key))
      group->second.for_each([&](uint32_t other) {
        if (!say_the_same(at(other).content, x.content))
          mixed_.insert(key);
        return false;
      });
    group->second.add(slot);
  }
}

void subject_index::remove(uint32_t slot, const observation& x) {
  for (auto key : keys_of(x)) {
    auto* group = key != 0 ? groups_.find(key) : nullptr;
    if (group == nullptr)
      continue;
    group->second.remove(slot);
    if (group->second.size() <= 1)
      mixed_.erase(key);
    if (group->second.empty())
      groups_.erase(key);
  }
}

void subject_index::clear() {
  groups_.clear();
  mixed_.clear();
}

subject_index::keys subject_index::keys_of(const observation& x) {
  keys result{};
  const auto* goal = goal_of(x);
  const auto* key = key_of(x);
  if (goal == nullptr && key == nullptr)
    return result;
  text_hash hash;
  auto type = hash(x.type);
  if (goal != nullptr) {
    size_t tags = 0; // a sum, so that their order does not matter
    for (const auto& tag : x.tags)
      tags += mix(hash(tag), 1);
    result[0] = fold(mix(mix(type, tags), hash_of(*goal)));
  }
  if (key != nullptr)
    result[1] = fold(mix(mix(type, 0), hash_of(*key)));
  return result;
}

std::vector<uint32_t> contradiction_search::of(uint32_t slot) {
  const auto& x = at_(slot);
  std::vector<uint32_t> result;
  subjects_.for_each_mixed_group(x, [&](subject_kind kind, uint32_t key, const slot_set& group) {
    for (const auto& one : about(kind, key, group))
      if (!is_over() && same_subject(kind, *one.first, x))
        add_others(one, slot, result);
  });
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// The subjects with that key. There is more than one only if their hashes are equal by chance.
std::vector<contradiction_search::subject>& contradiction_search::about(
  subject_kind kind, uint32_t key, const slot_set& group) {
  auto made = known_.try_emplace({kind, key});
  auto& subjects = made.first->second;
  if (made.second)
    group.for_each([&](uint32_t slot) {
      sort_in(subjects, kind, slot);
      return !is_over();
    });
  return subjects;
}

void contradiction_search::sort_in(std::vector<subject>& to, subject_kind kind, uint32_t slot) {
  const auto& x = at_(slot);
  if (x.expires_at <= now_ || !same_subject(kind, x, x))
    return;
  auto of_it = std::find_if(to.begin(), to.end(),
    [&](const subject& known) { return is_over() || same_subject(kind, *known.first, x); });
  if (of_it == to.end())
    of_it = to.insert(to.end(), {&x, {}});
  sort_in(*of_it, x, slot);
}

void contradiction_search::sort_in(subject& to, const observation& x, uint32_t slot) {
  auto hash = hash_of_saying(x.content);
  auto [begin, end] = to.sayings.equal_range(hash);
  auto same = std::find_if(begin, end, [&](const auto& known) {
    return is_over() || say_the_same(known.second.first->content, x.content);
  });
  if (same == end)
    same = to.sayings.emplace(hash, saying{&x, {}});
  same->second.slots.push_back(slot);
}

/// Adds the slots of all sayings that do not have `slot`. No texts are compared.
void contradiction_search::add_others(
  const subject& about, uint32_t slot, std::vector<uint32_t>& to) {
  for (const auto& [hash, one] : about.sayings)
    if (!std::binary_search(one.slots.begin(), one.slots.end(), slot))
      to.insert(to.end(), one.slots.begin(), one.slots.end());
}

} // namespace scratchpage
