#include "scratchpage/actors/page/index/text_index.hpp"

#include <algorithm>

#include <boost/unordered/unordered_flat_map.hpp>

#include "scratchpage/actors/page/index/date_words.hpp"
#include "scratchpage/messages/limits.hpp"

namespace scratchpage {

namespace {

// The time is checked after so many texts or bytes of them, which take some 50 and 250 µs.
constexpr size_t poll_texts = 8;
constexpr size_t poll_bytes = 16'384;

} // namespace

void text_index::insert(uint32_t slot) {
  lengths_.put(slot, is_waiting);
}

void text_index::change(uint32_t slot, const observation& before, const observation& after) {
  const auto* length = lengths_.find(slot);
  if (length == nullptr || *length == is_waiting)
    return;
  if (before.content == after.content && before.tags == after.tags
      && before.created_at == after.created_at
      && thread_index::named_by(before) == thread_index::named_by(after))
    return;
  remove_terms(slot, before);
  forget(slot, before);
  lengths_.put(slot, is_waiting);
  waiting_again_.push_back(slot);
}

void text_index::erase(uint32_t slot, const observation& x) {
  const auto* length = lengths_.find(slot);
  if (length == nullptr)
    return;
  auto is_indexed = *length != is_waiting;
  if (is_indexed)
    forget(slot, x);
  lengths_.erase(slot);
  // Erased slots are removed here, because there may never be a search.
  if (waiting_again_.size() > 2 * lengths_.size() + 1024)
    std::erase_if(waiting_again_, [this](uint32_t at) { return lengths_.find(at) == nullptr; });
  if (!is_indexed)
    return;
  unswept_ = all_terms_.size();
  sweep();
}

/// The observation does not count any more.
void text_index::forget(uint32_t slot, const observation& x) {
  threads_.remove(slot, x);
  total_length_ -= *lengths_.find(slot);
  indexed_.remove(slot);
}

void text_index::clear() {
  lengths_.clear();
  shortest_.clear();
  indexed_.clear();
  threads_.clear();
  terms_.clear();
  all_terms_.clear();
  waiting_again_.clear();
  waiting_from_ = total_length_ = posting_bytes_ = sweep_credit_ = 0;
  swept_ = unswept_ = 0;
}

bool text_index::catch_up(const lookup& find, const stop& out_of_time, size_t limit) {
  size_t steps = 0;
  size_t read = 0; // bytes of text since the time was checked last
  auto may_go_on = [&] {
    auto step = steps++;
    if (step >= limit || bytes() > max_bytes_)
      return false;
    if (step % poll_texts != poll_texts - 1 && read < poll_bytes)
      return true;
    read = 0;
    return !(out_of_time && out_of_time());
  };
  auto take = [&](uint32_t slot) {
    const auto* length = lengths_.find(slot);
    if (length == nullptr || *length != is_waiting)
      return;
    if (const auto* x = find(slot)) {
      read += x->content.size();
      index(slot, *x);
    }
  };
  while (!waiting_again_.empty()) {
    if (!may_go_on())
      return false;
    take(waiting_again_.back());
    waiting_again_.pop_back();
  }
  for (auto next = lengths_.at_or_after(waiting_from_); next;
       next = lengths_.at_or_after(waiting_from_)) {
    if (!may_go_on())
      return false;
    take(static_cast<uint32_t>(*next));
    waiting_from_ = *next + 1;
  }
  return true;
}

double text_index::average_length() const {
  return indexed_.empty()
           ? 0
           : static_cast<double>(total_length_) / static_cast<double>(indexed_.size());
}

// -- indexing -----------------------------------------------------------------------

template <class F>
void text_index::for_each_term(const observation& x, F&& f) {
  analyzer_.for_each_term(x.content, f);
  for (const auto& tag : x.tags)
    analyzer_.for_each_term(tag, f);
  analyzer_.for_each_term(date_words{x.created_at}.text(), f);
}

void text_index::index(uint32_t slot, const observation& x) {
  touched_.clear();
  for_each_term(x, [this](std::string_view word) {
    auto& term = term_of(word);
    if (term.frequency++ == 0)
      touched_.push_back(&term);
  });
  uint64_t length = 0;
  for (auto* term : touched_) {
    length += term->frequency;
    auto before = term->postings.bytes();
    term->postings.add(slot, term->frequency);
    posting_bytes_ += term->postings.bytes() - before;
    term->frequency = 0;
  }
  length = std::min<uint64_t>(length, is_waiting - 1);
  total_length_ += length;
  lengths_.put(slot, static_cast<uint16_t>(length));
  indexed_.add(slot);
  threads_.add(slot, x);
  auto* shortest = shortest_.find(slot / window_slots);
  if (shortest == nullptr || *shortest > length)
    shortest_.put(slot / window_slots, static_cast<uint16_t>(length));
}

/// Removes the postings of an observation at once, because its slot gets others.
void text_index::remove_terms(uint32_t slot, const observation& x) {
  for_each_term(x, [this, slot](std::string_view word) {
    auto* known = terms_.find(text_key{word});
    if (known == nullptr)
      return;
    auto& term = **known;
    auto before = term.postings.bytes();
    term.postings.remove(slot);
    posting_bytes_ -= before - term.postings.bytes();
    if (term.postings.empty())
      remove(term);
  });
  if (unswept_ > 0) // terms may have moved to positions that the walk has passed
    unswept_ = all_terms_.size();
}

text_index::term& text_index::term_of(std::string_view text) {
  text_key key{text};
  if (auto* known = terms_.find(key))
    return **known;
  auto& result = *all_terms_.emplace_back(std::make_unique<term>());
  result.text = text;
  result.position = static_cast<uint32_t>(all_terms_.size() - 1);
  unswept_ += unswept_ > 0 ? 1 : 0; // the walk passes it, too
  terms_.insert(key, &result);
  return result;
}

// -- removing erased documents ------------------------------------------------------

void text_index::remove(const term& x) {
  posting_bytes_ -= x.postings.bytes();
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
  constexpr uint64_t per_term = 16;
  sweep_credit_ += 1 + (posting_bytes_ + per_term * all_terms_.size()) / (indexed_.size() + 1);
  while (unswept_ > 0 && !all_terms_.empty()) {
    if (swept_ >= all_terms_.size())
      swept_ = 0;
    auto& term = *all_terms_[swept_];
    auto before = term.postings.bytes();
    if (before + per_term > sweep_credit_)
      return;
    sweep_credit_ -= before + per_term;
    term.postings.keep_shared(indexed_);
    posting_bytes_ -= before - term.postings.bytes();
    if (term.postings.empty()) {
      remove(term); // another term moves to this position
      continue;
    }
    ++swept_;
    --unswept_;
  }
  unswept_ = 0;
  sweep_credit_ = 0;
}

// -- searching ----------------------------------------------------------------------

std::vector<text_index::wanted_term> text_index::terms_of(std::string_view query, bool& partial) {
  std::vector<wanted_term> result;
  boost::unordered_flat_map<const term*, size_t> places;
  analyzer_.for_each_term(query, [&](std::string_view word) {
    auto* known = terms_.find(text_key{word});
    if (known == nullptr)
      return;
    if (auto place = places.find(*known); place != places.end())
      ++result[place->second].times;
    else if (result.size() == filter_limits::query_terms)
      partial = true;
    else if (places.emplace(*known, result.size()).second)
      result.push_back({&(*known)->postings, 1, 0});
  });
  for (auto& x : result) {
    const auto& documents = x.postings->documents();
    x.documents = unswept_ == 0 ? documents.size() : count_shared(documents, indexed_);
  }
  std::erase_if(result, [](const wanted_term& x) { return x.documents == 0; });
  return result;
}

} // namespace scratchpage
