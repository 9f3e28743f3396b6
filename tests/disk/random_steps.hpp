#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "scratchpage/persistence/store/store.hpp"
#include "scratchpage/tests/disk/kept_page.hpp"
#include "scratchpage/tests/support/chance.hpp"

namespace scratchpage::test {

/// One call that changes a store, and the same change of the model.
struct step {
  std::string name;
  std::function<caf::error(store&)> run;
  std::function<void(kept_pages&)> apply; ///< null: the store must refuse with a conflict
};

/// Draws random calls of a store, mostly appends.
class random_steps {
public:
  explicit random_steps(chance& by)
    : by_{by} {}

  /// Draws a call for one of the claimed agents.
  step draw(const kept_pages& now);

private:
  using named_page = kept_pages::value_type;

  step draw_append(const kept_pages& now);
  step draw_stale_append(const named_page& of);
  step draw_documents(const named_page& of);
  step draw_fold(const named_page& of);
  step draw_forget(const named_page& of);
  step draw_cut(const named_page& of);

  kept_events draw_events(const kept_page& after);
  kept_event_ptr draw_event(const page_view& after, uint64_t sequence);
  void draw_change(page_event& event, observation x);
  observation draw_observation(uint64_t number);
  std::string draw_content();

  chance& by_;
  int64_t now_ms_ = 1'762'300'800'000; // 2025-11-05
};

} // namespace scratchpage::test
