#include "scratchpage/actors/page/index/text_search.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "scratchpage/actors/page/index/slot_bits.hpp"

namespace scratchpage {

namespace {

constexpr double rounding = 1.0001; // bounds are of less precision than scores
constexpr uint32_t window_words = text_index::window_slots / 64;

/// The words of a bitmap that belong to a window.
using bits_of_window = std::array<uint64_t, window_words>;

/// The part of a sorted list that is in the window that begins at `first`.
std::pair<const uint16_t*, const uint16_t*> part_of_list(
  const slot_set::chunk_view& x, uint32_t first) {
  const auto* end = x.list + x.count;
  const auto* from = std::lower_bound(x.list, end, first);
  return {from, std::lower_bound(from, end, first + text_index::window_slots)};
}

/// Adds the offsets that are in the window that begins at `first`.
void add_bits(bits_of_window& to, const slot_set::chunk_view& x, uint32_t first) {
  if (x.bits != nullptr) {
    for (uint32_t w = 0; w < window_words; ++w)
      to[w] |= x.bits[first / 64 + w];
    return;
  }
  for (auto [i, end] = part_of_list(x, first); i != end; ++i)
    to[(*i - first) / 64] |= slot_bits::mask(*i);
}

/// Calls `f(offset)` for the bits, from the lowest up.
template <class F>
void for_each_bit(const bits_of_window& bits, F&& f) {
  for (uint32_t w = 0; w < window_words; ++w)
    for (auto rest = bits[w]; rest != 0; rest &= rest - 1)
      f(w * 64 + static_cast<uint32_t>(std::countr_zero(rest)));
}

} // namespace

/// What is known of the observations of a window. Offsets count from its first slot.
struct text_search::window {
  static constexpr uint32_t block_slots = block_table<uint16_t>::block_size;
  using length_block = std::array<uint16_t, block_slots>;

  uint32_t first = 0;                     ///< slot, as an offset in the chunk
  window_bits wanted;                     ///< those that have a term and are looked for
  window_bits candidates;                 ///< those with a sum
  std::array<float, window_slots> sums{}; ///< of what terms add; all 0 between windows
  std::array<const length_block*, window_slots / block_slots> lengths; ///< in terms

  /// The weight of a term in an observation.
  float weight(const weight_table& table, uint32_t at) const {
    auto length = (*lengths[at / block_slots])[at % block_slots];
    return table[std::min<size_t>(length, table.size() - 1)];
  }
};

text_search::text_search(
  text_index& index, std::string_view query, size_t limit, text_index::stop out_of_time)
  : index_{index},
    limit_{limit},
    out_of_time_{std::move(out_of_time)},
    weights_{index} {
  for (const auto& x : index.terms_of(query, is_partial_))
    terms_.push_back({x.postings, x.times * weights_.idf(x.documents),
      uint64_t{x.documents} * 4 > index.indexed().size()});
  parts_.reserve(terms_.size());
}

text_search::text_search(text_search&&) noexcept = default;

text_search::~text_search() = default;

bool text_search::enter(uint16_t key) {
  base_ = uint32_t{key} << 16;
  parts_.clear();
  postings_ = 0;
  used_rooms_ = 0;
  for (const auto& x : terms_) {
    auto documents = view_of(x.postings->documents(), key);
    if (documents.count == 0)
      continue;
    auto& to = parts_.emplace_back(part{&x, documents, {}, {}, 0});
    for (const auto& digit : x.postings->digits())
      to.digits.push_back(view_of(digit, key));
    while (!to.digits.empty() && to.digits.back().count == 0)
      to.digits.pop_back();
    postings_ += documents.count;
  }
  return !parts_.empty();
}

const slot_chunk& text_search::look_at(const slot_chunk& rows) {
  found_.assign({});
  if (parts_.empty())
    return found_;
  std::vector<slot_set::chunk_view> all;
  all.reserve(parts_.size());
  for (const auto& x : parts_)
    all.push_back(x.documents);
  found_.assign_union(all);
  found_.intersect(rows.as_view());
  found_before_ += found_.count();
  if (limit_ == 0 || found_.count() == 0)
    return found_;
  if (are_few())
    score_each();
  else
    score_windows();
  return found_;
}

std::vector<text_search::match> text_search::best() const {
  auto result = best_;
  std::sort(result.begin(), result.end(), is_better);
  return result;
}

slot_set::chunk_view text_search::view_of(const slot_set& x, uint16_t key) {
  if (used_rooms_ == rooms_.size())
    rooms_.push_back(std::make_unique<slot_set::scratch>());
  auto& room = *rooms_[used_rooms_];
  auto result = x.chunk(key, room);
  used_rooms_ += result.list == room.data() ? 1 : 0;
  return result;
}

/// Whether it takes less time to score all observations than to go through the postings.
bool text_search::are_few() const {
  constexpr uint64_t few = 256;
  constexpr uint64_t postings_for_one = 4; // in the time in which one posting is searched for
  return found_.count() <= few || found_.count() * parts_.size() * postings_for_one <= postings_;
}

void text_search::score_each() {
  found_.for_each_descending(slot_set::chunk_slots, [&](uint16_t offset) {
    auto slot = base_ + offset;
    offer(slot, score(slot, offset));
    return !is_out_of_time(parts_.size());
  });
}

// -- windows --------------------------------------------------------------------------

void text_search::score_windows() {
  if (!window_)
    window_ = std::make_unique<window>();
  for (auto first = slot_set::chunk_slots; first > 0 && !has_ended_;) {
    first -= window_slots;
    begin(*window_, first);
    if (std::ranges::all_of(window_->wanted, [](uint64_t x) { return x == 0; }))
      continue;
    auto base = base_ + first;
    begin_parts(first);
    auto skipped = skipped_parts();
    for (auto i = order_.size(); i-- > skipped;) {
      add_up(*window_, parts_[order_[i]]);
      if (is_out_of_time(window_slots / 16))
        break;
    }
    offer_candidates(*window_, base, skipped);
  }
}

/// How many parts, in their order, cannot reach the threshold together.
size_t text_search::skipped_parts() const {
  size_t result = 0;
  while (result < order_.size() && most_of_first_[result + 1] * rounding < threshold())
    ++result;
  return result;
}

void text_search::begin(window& x, uint32_t first) {
  static constexpr window::length_block no_lengths{};
  x.first = first;
  x.candidates.fill(0);
  x.wanted.fill(0);
  add_bits(x.wanted, found_.as_view(), first);
  for (uint32_t i = 0; i < x.lengths.size(); ++i) {
    const auto* lengths = index_.lengths().block_of(base_ + first + i * window::block_slots);
    x.lengths[i] = lengths != nullptr ? lengths : &no_lengths;
  }
}

/// Turns the parts to the window that begins at this offset of the chunk, and sorts them by what
/// they can add there.
void text_search::begin_parts(uint32_t first) {
  auto shortest = index_.shortest_in(base_ + first);
  order_.clear();
  for (auto& x : parts_) {
    x.window_digits.assign(x.digits.size(), {});
    for (size_t i = 0; i < x.digits.size(); ++i)
      add_bits(x.window_digits[i], x.digits[i], first);
    x.most = weights_.scaled(x.what->idf, largest_frequency(x), shortest);
    order_.push_back(order_.size());
  }
  std::ranges::sort(order_, {}, [this](size_t i) { return parts_[i].most; });
  most_of_first_.assign(1, 0);
  for (auto i : order_)
    most_of_first_.push_back(most_of_first_.back() + parts_[i].most);
}

/// The largest frequency of a term in the window.
uint32_t text_search::largest_frequency(const part& x) {
  uint32_t result = 0;
  window_bits largest; // those that have the digits of the result so far
  largest.fill(~uint64_t{0});
  for (auto i = x.window_digits.size(); i-- > 0;) {
    auto having = largest;
    uint64_t any = 0;
    for (uint32_t w = 0; w < window_words; ++w)
      any |= having[w] &= x.window_digits[i][w];
    if (any == 0)
      continue;
    largest = having;
    result |= 1u << i;
  }
  return result + 1;
}

/// Adds what a term adds to the score of each observation; somewhat more for a long one.
void text_search::add_up(window& to, const part& x) {
  auto idf = static_cast<float>(x.what->idf);
  const auto& once = table_for(1);
  auto add = [&](uint32_t at) { to.sums[at] += idf * to.weight(once, at); };
  if (x.documents.bits != nullptr) {
    for (uint32_t w = 0; w < window_words; ++w) {
      auto all = x.documents.bits[to.first / 64 + w];
      to.candidates[w] |= all;
      for (auto rest = all; rest != 0; rest &= rest - 1)
        add(w * 64 + static_cast<uint32_t>(std::countr_zero(rest)));
    }
  } else {
    add_bits(to.candidates, x.documents, to.first);
    for (auto [i, end] = part_of_list(x.documents, to.first); i != end; ++i)
      add(*i - to.first);
  }
  window_bits repeated{};
  for (const auto& digit : x.window_digits)
    for (uint32_t w = 0; w < window_words; ++w)
      repeated[w] |= digit[w];
  for_each_bit(repeated, [&](uint32_t at) {
    to.sums[at] += idf * (to.weight(table_for(frequency_in(x, at)), at) - to.weight(once, at));
  });
}

/// Offers the observations that can be among the best, from the last one on.
void text_search::offer_candidates(window& from, uint32_t base, size_t skipped) {
  keep_possible(from);
  for (auto w = window_words; w-- > 0;) {
    for (auto rest = from.candidates[w] & from.wanted[w]; rest != 0;) {
      auto bit = 63 - static_cast<uint32_t>(std::countl_zero(rest));
      rest ^= uint64_t{1} << bit;
      auto at = w * 64 + bit;
      if (can_reach(from, at, from.sums[at], skipped))
        offer(base + at, score(base + at, static_cast<uint16_t>(from.first + at)));
    }
  }
  from.sums.fill(0);
}

/// Removes the candidates that lack a term without which all others cannot reach the threshold.
void text_search::keep_possible(window& x) const {
  for (const auto& part : parts_) {
    if ((most_of_first_.back() - part.most) * rounding >= threshold())
      continue;
    window_bits having{};
    add_bits(having, part.documents, x.first);
    for (uint32_t w = 0; w < window_words; ++w)
      x.wanted[w] &= having[w];
  }
}

/// Whether an observation can be among the best if its terms that are not skipped add `sum`.
bool text_search::can_reach(const window& in, uint32_t at, double sum, size_t skipped) {
  auto wanted = threshold() / rounding;
  auto offset = static_cast<uint16_t>(in.first + at);
  for (auto i = skipped; sum + most_of_first_[i] >= wanted; --i) {
    if (i == 0)
      return true;
    const auto& x = parts_[order_[i - 1]];
    if (slot_bits::has(x.documents, offset))
      sum += x.what->idf * double{in.weight(table_for(frequency_in(x, at)), at)};
  }
  return false;
}

const text_search::weight_table& text_search::table_for(uint32_t frequency) {
  if (tables_.size() <= frequency)
    tables_.resize(frequency + 1);
  auto& table = tables_[frequency];
  if (!table) {
    table = std::make_unique<weight_table>();
    for (uint32_t length = 0; length < table->size(); ++length)
      (*table)[length] = static_cast<float>(weights_.weight(frequency, length));
  }
  return *table;
}

// -- single observations ----------------------------------------------------------------

/// The score of an observation of the current chunk. Equal observations get equal scores, because
/// the same summands are added in the same order.
double text_search::score(uint32_t slot, uint16_t offset) const {
  double result = 0;
  auto length = index_.length(slot);
  for (const auto& x : parts_) {
    if (!slot_bits::has(x.documents, offset))
      continue;
    result += weights_.scaled(x.what->idf, frequency_of(x, offset), length);
  }
  return result;
}

/// How often an observation of the chunk has a term; @pre it has it.
uint32_t text_search::frequency_of(const part& x, uint16_t offset) {
  uint32_t rest = 0;
  for (size_t i = 0; i < x.digits.size(); ++i)
    rest |= slot_bits::has(x.digits[i], offset) ? 1u << i : 0;
  return rest + 1;
}

/// The same for an observation of the window.
uint32_t text_search::frequency_in(const part& x, uint32_t at) {
  uint32_t rest = 0;
  for (size_t i = 0; i < x.window_digits.size(); ++i)
    rest |= static_cast<uint32_t>((x.window_digits[i][at / 64] >> (at % 64)) & 1) << i;
  return rest + 1;
}

void text_search::offer(uint32_t slot, double score) {
  match x{slot, score};
  if (best_.size() == limit_) {
    if (!is_better(x, best_.front()))
      return;
    std::pop_heap(best_.begin(), best_.end(), is_better);
    best_.pop_back();
  }
  best_.push_back(x);
  std::push_heap(best_.begin(), best_.end(), is_better);
}

/// Counts steps. Returns whether the time is over.
bool text_search::is_out_of_time(size_t steps) {
  constexpr size_t poll_every = 1'024;
  steps_ += steps;
  if (!has_ended_ && steps_ >= poll_every) {
    steps_ = 0;
    has_ended_ = out_of_time_ && out_of_time_();
    is_partial_ = is_partial_ || has_ended_;
  }
  return has_ended_;
}

} // namespace scratchpage
