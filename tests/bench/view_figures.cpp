#include "scratchpage/tests/bench/view_figures.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_view.hpp"

namespace scratchpage::bench {

namespace {

scratchbook make_book(size_t items) {
  scratchbook result;
  for (size_t n = 0; n < items; ++n) {
    item_draft draft;
    draft.kind = static_cast<item_kind>(n % 3);
    draft.title = "Look for flight " + std::to_string(n) + " to Paris";
    draft.body = "Leaves at noon, three seats left, 212 dollars with a bag";
    draft.tags = {"travel", "paris"};
    auto now = static_cast<int64_t>(n * 7'919 % items) * 1'000'000'000; // not sorted
    if (!add_item(result, std::move(draft), now, {}))
      throw std::runtime_error{"an item was refused"};
  }
  return result;
}

template <class F>
double median_us(F f) {
  constexpr int runs = 201;
  std::vector<double> took;
  for (int i = 0; i < runs; ++i) {
    auto started = std::chrono::steady_clock::now();
    f();
    std::chrono::duration<double, std::micro> us = std::chrono::steady_clock::now() - started;
    took.push_back(us.count());
  }
  std::nth_element(took.begin(), took.begin() + runs / 2, took.end());
  return took[runs / 2];
}

} // namespace

view_figures render_views(size_t items) {
  auto book = make_book(items);
  std::string view;
  view_figures result;
  result.render_us = median_us([&] { view = render_view(book, {}, estimate_tokens).view; });
  uint64_t tokens = 0;
  result.count_us = median_us([&] { tokens += estimate_tokens(view); });
  if (tokens == 0)
    throw std::runtime_error{"the view is empty"};
  return result;
}

} // namespace scratchpage::bench
