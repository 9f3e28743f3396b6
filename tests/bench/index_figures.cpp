#include "scratchpage/tests/bench/index_figures.hpp"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "scratchpage/actors/page/index/observation_index.hpp"
#include "scratchpage/tests/bench/observation_source.hpp"
#include "scratchpage/tests/bench/stopwatch.hpp"

namespace scratchpage::bench {

namespace {

/// Inserts rows. Returns the total nanoseconds of the inserts.
double fill(observation_index& index, observation_source& source, size_t rows) {
  constexpr size_t batch = 64;
  double total = 0;
  std::vector<observation_ptr> made;
  for (uint64_t next = 1; next <= rows;) {
    for (made.clear(); made.size() < batch && next + made.size() <= rows;)
      made.emplace_back(source.make(next + made.size()));
    stopwatch watch;
    for (auto& x : made)
      index.insert(next++, std::move(x));
    total += watch.ns();
  }
  return total;
}

size_t heap_in_use() {
  auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

double median_ms(observation_index& index, const std::vector<std::string>& texts) {
  observation_filter filter;
  std::vector<double> times;
  for (const auto& text : texts) {
    index_query q;
    q.filter = &filter;
    q.text = text;
    stopwatch watch;
    index.query(q);
    times.push_back(watch.ns() / 1e6);
  }
  return quantile(std::move(times), 0.5);
}

} // namespace

query_figures query_tags(size_t rows) {
  observation_source source;
  observation_index index;
  fill(index, source, rows);
  std::mt19937 random{3};
  std::vector<double> times;
  query_figures result;
  constexpr size_t queries = 5000;
  for (size_t i = 0; i < queries; ++i) {
    // The most frequent 50 of 200 tags. Each is on 0.4 % to 36 % of the rows.
    observation_filter filter;
    auto first = random() % 50;
    filter.tags = {source.tags()[first], source.tags()[(first + 1 + random() % 49) % 50]};
    index_query q;
    q.filter = &filter;
    stopwatch watch;
    auto answer = index.query(q);
    times.push_back(watch.ns() / 1e3);
    result.mean_total += static_cast<double>(answer.total) / queries;
  }
  result.p50_us = quantile(times, 0.5);
  result.p99_us = quantile(times, 0.99);
  return result;
}

double insert_ns(size_t rows) {
  observation_source source;
  observation_index index;
  return fill(index, source, rows) / static_cast<double>(rows);
}

double overhead_bytes_per_observation(size_t rows) {
  observation_source source;
  auto before = heap_in_use();
  observation_index index;
  fill(index, source, rows);
  index.catch_up(SIZE_MAX);
  auto grown = static_cast<double>(heap_in_use() - before);
  size_t payload = 0;
  for (uint64_t n = 1; n <= rows; ++n)
    payload += observation_source::payload(*index.find(n));
  return (grown - static_cast<double>(payload)) / static_cast<double>(rows);
}

expiry_figures expire(size_t rows, bool with_text) {
  observation_source source;
  observation_index index;
  fill(index, source, rows);
  if (with_text)
    index.catch_up(SIZE_MAX);
  expiry_figures result;
  for (auto next = index.next_deadline(); next; next = index.next_deadline()) {
    // As on a page, several rows are due whenever the timer fires.
    auto now = *next + std::chrono::milliseconds{200};
    stopwatch watch;
    for (auto number : index.due(now, 256))
      index.erase(number);
    auto slice = watch.ns();
    result.mean_ns += slice / static_cast<double>(rows);
    result.max_slice_us = std::max(result.max_slice_us, slice / 1e3);
  }
  return result;
}

text_figures query_text(size_t rows) {
  observation_source source;
  observation_index index;
  fill(index, source, rows);
  text_figures result;
  stopwatch watch;
  index.catch_up(SIZE_MAX);
  result.index_ns = watch.ns() / static_cast<double>(rows);
  std::mt19937 random{4};
  auto texts = [&](size_t from, size_t count) {
    std::vector<std::string> all;
    for (size_t i = 0; i < 50; ++i) {
      auto& text = all.emplace_back();
      for (size_t word = 0; word < 4; ++word)
        text += source.words()[from + random() % count] + " ";
    }
    return all;
  };
  result.common_ms = median_ms(index, texts(0, 10));
  result.rare_ms = median_ms(index, texts(10'000, 10'000));
  return result;
}

} // namespace scratchpage::bench
