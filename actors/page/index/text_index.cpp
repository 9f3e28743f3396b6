#include "scratchpage/actors/page/index/text_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

#include "scratchpage/messages/limits.hpp"

namespace scratchpage {

namespace {

constexpr size_t poll_every = 1024;
constexpr size_t poll_bytes = 65'536;  // of texts; indexing them takes about a millisecond
constexpr size_t max_segment = 16'384; // bytes

void put_varint(uint64_t x, std::string& out) {
  for (; x >= 0x80; x >>= 7)
    out.push_back(static_cast<char>(x | 0x80));
  out.push_back(static_cast<char>(x));
}

uint64_t take_varint(const char*& at) {
  uint64_t result = 0;
  for (unsigned shift = 0;; shift += 7) {
    auto byte = static_cast<unsigned char>(*at++);
    result |= uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80)
      return result;
  }
}

} // namespace

void text_index::insert(uint64_t number) {
  auto is_old = number < waiting_from_;
  if (auto* state = states_.find(number)) {
    if (*state == waiting)
      return;
    erase(number);
  }
  states_.put(number, waiting);
  if (is_old)
    waiting_again_.push_back(number);
}

void text_index::erase(uint64_t number) {
  auto* state = states_.find(number);
  if (state == nullptr)
    return;
  if (*state == waiting) {
    states_.erase(number);
    // Erased numbers are removed here, because there may never be a search.
    if (waiting_again_.size() > 2 * states_.size() + poll_every)
      std::erase_if(waiting_again_, [this](uint64_t x) { return states_.find(x) == nullptr; });
    return;
  }
  auto id = documents_.widen(*state);
  total_length_ -= documents_.find(id)->length;
  documents_.erase(id);
  states_.erase(number);
  sweep();
}

bool text_index::catch_up(const lookup& find, const stop& out_of_time, size_t limit) {
  size_t steps = 0;
  size_t read = 0; // bytes of text since the time was checked last
  auto may_go_on = [&] {
    auto step = steps++;
    if (step >= limit || bytes() > max_bytes_)
      return false;
    if (step % 64 != 63 && read < poll_bytes)
      return true;
    read = 0;
    return !(out_of_time && out_of_time());
  };
  auto take = [&](uint64_t number) {
    auto* state = states_.find(number);
    if (state == nullptr || *state != waiting)
      return;
    if (const auto* x = find(number)) {
      read += x->content.size();
      index(number, *x);
    }
  };
  while (!waiting_again_.empty()) {
    if (!may_go_on())
      return false;
    take(waiting_again_.back());
    waiting_again_.pop_back();
  }
  for (auto next = states_.at_or_after(waiting_from_); next;
       next = states_.at_or_after(waiting_from_)) {
    if (!may_go_on())
      return false;
    take(*next);
    waiting_from_ = *next + 1;
  }
  return true;
}

double text_index::average_length() const {
  return documents_.empty()
           ? 0
           : static_cast<double>(total_length_) / static_cast<double>(documents_.size());
}

// -- indexing -----------------------------------------------------------------------

void text_index::index(uint64_t number, const observation& x) {
  touched_.clear();
  add_terms(x.content);
  for (const auto& tag : x.tags)
    add_terms(tag);
  ++last_document_;
  if (static_cast<uint32_t>(last_document_) == waiting)
    ++last_document_;
  uint64_t length = 0;
  for (auto* term : touched_) {
    length += term->frequency;
    if (term->postings.size() >= max_segment) {
      if (!term->full)
        term->full = std::make_unique<std::vector<std::string>>();
      term->full->push_back(std::exchange(term->postings, {}));
      term->last = 0;
    }
    auto before = term->postings.size();
    append(term->postings, term->last, {last_document_, term->frequency});
    posting_bytes_ += term->postings.size() - before;
    term->frequency = 0;
  }
  constexpr uint64_t longest = std::numeric_limits<uint16_t>::max();
  length = std::min(length, longest);
  total_length_ += length;
  documents_.put(last_document_, {static_cast<uint32_t>(number), static_cast<uint16_t>(length)});
  states_.put(number, static_cast<uint32_t>(last_document_));
}

void text_index::add_terms(std::string_view text) {
  analyzer_.for_each_term(text, [this](std::string_view word) {
    auto& term = term_of(word);
    if (term.frequency++ == 0)
      touched_.push_back(&term);
  });
}

text_index::term& text_index::term_of(std::string_view text) {
  text_key key{text};
  if (auto* known = terms_.find(key))
    return **known;
  auto& result = *all_terms_.emplace_back(std::make_unique<term>());
  result.text = text;
  result.position = all_terms_.size() - 1;
  terms_.insert(key, &result);
  return result;
}

void text_index::append(std::string& to, uint64_t& last, posting x) {
  auto has_frequency = x.frequency != 1;
  put_varint((x.document - last) * 2 + (has_frequency ? 1 : 0), to);
  if (has_frequency)
    put_varint(x.frequency, to);
  last = x.document;
}

/// Calls `f` for each posting of a segment until it returns false. Returns false if `f` did.
template <class F>
bool text_index::decode(const std::string& segment, F&& f) {
  const auto* at = segment.data();
  const auto* end = at + segment.size();
  uint64_t document = 0;
  while (at != end) {
    auto head = take_varint(at);
    document += head >> 1;
    if (!f(posting{document, (head & 1) != 0 ? static_cast<uint32_t>(take_varint(at)) : 1}))
      return false;
  }
  return true;
}

template <class F>
void text_index::decode(const term& x, F&& f) {
  if (x.full)
    for (const auto& segment : *x.full)
      if (!decode(segment, f))
        return;
  decode(x.postings, f);
}

// -- removing erased documents ------------------------------------------------------

/// Rewrites a segment without the postings of erased documents.
void text_index::compact(std::string& segment, uint64_t& last) {
  std::string fresh;
  uint64_t fresh_last = 0;
  bool is_changed = false;
  decode(segment, [&](posting x) {
    if (documents_.find(x.document) != nullptr)
      append(fresh, fresh_last, x);
    else
      is_changed = true;
    return true;
  });
  if (!is_changed)
    return;
  posting_bytes_ -= segment.size() - fresh.size();
  fresh.shrink_to_fit();
  segment = std::move(fresh);
  last = fresh_last;
}

void text_index::remove(term& x) {
  terms_.erase(text_key{x.text});
  auto position = x.position;
  all_terms_[position] = std::move(all_terms_.back()); // destroys x unless it is the last
  all_terms_.pop_back();
  if (position < all_terms_.size())
    all_terms_[position]->position = position;
}

/// Sweeps a part of the postings. Each erased document adds credit for a part of the walk over all
/// postings, so that one walk is complete by the time as many documents are erased as are left.
void text_index::sweep() {
  constexpr uint64_t per_term = 8;
  sweep_credit_ += 1 + (posting_bytes_ + per_term * terms_.size()) / (documents_.size() + 1);
  auto is_paid = [this](uint64_t cost) {
    if (cost > sweep_credit_)
      return false;
    sweep_credit_ -= cost;
    return true;
  };
  for (auto left = all_terms_.size(); left > 0; --left) {
    if (swept_ >= all_terms_.size())
      swept_ = 0;
    auto& term = *all_terms_[swept_];
    while (term.full && swept_segments_ < term.full->size()) {
      auto& segment = (*term.full)[swept_segments_];
      if (!is_paid(segment.size()))
        return;
      uint64_t last = 0;
      compact(segment, last);
      if (segment.empty())
        term.full->erase(term.full->begin() + static_cast<ptrdiff_t>(swept_segments_));
      else
        ++swept_segments_;
    }
    if (!is_paid(term.postings.size() + per_term))
      return;
    compact(term.postings, term.last);
    if (term.full && term.full->empty())
      term.full.reset();
    swept_segments_ = 0;
    if (term.postings.empty() && !term.full)
      remove(term);
    else
      ++swept_;
  }
  sweep_credit_ = 0;
}

// -- searching ----------------------------------------------------------------------

/// The terms of a query that are in the index. A word that is in the query twice counts twice.
std::vector<text_index::wanted_term> text_index::known_terms_of(
  std::string_view text, bool& partial) {
  std::vector<wanted_term> result;
  boost::unordered_flat_map<const term*, size_t> places;
  analyzer_.for_each_term(text, [&](std::string_view word) {
    auto* known = terms_.find(text_key{word});
    if (known == nullptr)
      return;
    if (auto place = places.find(*known); place != places.end())
      ++result[place->second].times;
    else if (result.size() == filter_limits::query_terms)
      partial = true;
    else if (places.emplace(*known, result.size()).second)
      result.push_back({*known, 1});
  });
  return result;
}

std::vector<text_index::match> text_index::search(
  std::string_view text, const stop& out_of_time, bool& partial) {
  std::vector<wanted_list> lists;
  size_t steps = 0;
  bool stopped = false;
  for (const auto& term : known_terms_of(text, partial)) {
    auto& list = lists.emplace_back(wanted_list{{}, term.times}).postings;
    decode(*term.what, [&](posting x) {
      if (documents_.find(x.document) != nullptr)
        list.push_back(x);
      stopped = ++steps % poll_every == 0 && out_of_time && out_of_time();
      return !stopped;
    });
    if (stopped)
      break;
  }
  partial = partial || stopped;
  return sum_up(lists, out_of_time, partial);
}

/// Adds up the scores of each document. Returns them by number. Equal observations get equal
/// scores, because the same summands are added in the same order.
std::vector<text_index::match> text_index::sum_up(
  const std::vector<wanted_list>& lists, const stop& out_of_time, bool& partial) const {
  struct part {
    uint64_t document;
    double score;
  };
  std::vector<part> sums;
  std::vector<part> merged;
  auto n = static_cast<double>(documents_.size());
  auto average = std::max(average_length(), 1.0);
  size_t steps = 0;
  for (const auto& [list, times] : lists) {
    if (steps >= poll_every && out_of_time && out_of_time()) {
      partial = true; // the scores of the words so far give an order
      break;
    }
    steps += sums.size() + list.size();
    auto df = static_cast<double>(list.size());
    auto idf = times * std::log(1 + (n - df + 0.5) / (df + 0.5));
    merged.clear();
    merged.reserve(sums.size() + list.size());
    auto before = sums.begin();
    for (const auto& x : list) {
      while (before != sums.end() && before->document < x.document)
        merged.push_back(*before++);
      auto length = static_cast<double>(documents_.find(x.document)->length);
      auto tf = static_cast<double>(x.frequency);
      auto score = idf * tf * (k1_ + 1) / (tf + k1_ * (1 - b_ + b_ * length / average));
      if (before != sums.end() && before->document == x.document)
        score += (before++)->score;
      merged.push_back({x.document, score});
    }
    merged.insert(merged.end(), before, sums.end());
    std::swap(sums, merged);
  }
  std::vector<match> result;
  result.reserve(sums.size());
  for (const auto& x : sums)
    result.push_back({states_.widen(documents_.find(x.document)->number), x.score});
  auto by_number = [](const match& a, const match& b) { return a.number < b.number; };
  if (!std::is_sorted(result.begin(), result.end(), by_number))
    std::sort(result.begin(), result.end(), by_number);
  return result;
}

} // namespace scratchpage
