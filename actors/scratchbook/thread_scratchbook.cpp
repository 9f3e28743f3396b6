#include "scratchpage/actors/scratchbook/thread_scratchbook.hpp"

#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_view.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

caf::expected<scratchbook_item> mark_item(
  scratchbook& in, const scratch_mark& x, int64_t now_ns, const scratchbook_limits& limits) {
  switch (x.mark) {
  case item_mark::complete:
    return complete_item(in, x.id, now_ns, limits);
  case item_mark::pin:
    return pin_item(in, x.id, limits);
  default: // unpin
    return unpin_item(in, x.id);
  }
}

} // namespace

thread_scratchbook_state::thread_scratchbook_state(handle::pointer self, std::string thread_id,
  file_keeper_actor files, std::shared_ptr<const scratchpage::clock> clock,
  scratchbook_config config, token_counter count)
  : self_{self},
    thread_id_{std::move(thread_id)},
    path_{scratchbook_path(config, thread_id_)},
    files_{std::move(files)},
    clock_{std::move(clock)},
    config_{std::move(config)},
    count_{std::move(count)} {}

thread_scratchbook_state::handle::behavior_type thread_scratchbook_state::make_behavior() {
  return {
    [this](const scratch_read& x) {
      return when_read<scratch_view>(
        [this, after = x.after] { return render_view(*book_, config_.view, count_, after); });
    },
    [this](const scratch_list&) { return when_read<scratchbook>([this] { return *book_; }); },
    [this](scratch_add& x) {
      return enqueue([this, item = std::move(x.item)](
                       scratchbook& to) { return add_item(to, item, now_ns(), config_.limits); });
    },
    [this](scratch_update& x) {
      return enqueue([this, id = std::move(x.id), changes = std::move(x.changes)](scratchbook& in) {
        return update_item(in, id, changes, now_ns(), config_.limits);
      });
    },
    [this](scratch_mark& x) {
      return enqueue([this, x = std::move(x)](
                       scratchbook& in) { return mark_item(in, x, now_ns(), config_.limits); });
    },
  };
}

int64_t thread_scratchbook_state::now_ns() const {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(clock_->now().time_since_epoch())
    .count();
}

caf::result<scratchbook_item> thread_scratchbook_state::enqueue(change x) {
  if (changes_.size() >= config_.max_waiting)
    return fail(errc::overloaded, "",
      std::to_string(config_.max_waiting) + " changes of this scratchbook wait already");
  auto answer = self_->make_response_promise<scratchbook_item>();
  changes_.push_back({std::move(x), answer});
  if (book_)
    commit();
  else
    load();
  return answer;
}

template <class T>
caf::result<T> thread_scratchbook_state::when_read(std::function<T()> read) {
  if (book_)
    return read();
  if (readers_.size() >= config_.max_waiting)
    return fail(errc::overloaded, "",
      std::to_string(config_.max_waiting) + " readers of this scratchbook wait already");
  auto answer = self_->make_response_promise<T>();
  readers_.push_back([answer, read = std::move(read)](const caf::error& err) mutable {
    if (err)
      answer.deliver(err);
    else
      answer.deliver(read());
  });
  load();
  return answer;
}

void thread_scratchbook_state::load() {
  if (std::exchange(is_loading_, true))
    return;
  read_file request{path_, 0, uint64_t{2} * config_.limits.max_bytes};
  ask(self_, files_, from_milliseconds(config_.save_ms), std::move(request))
    .then([this](const file_part& x) { on_loaded(x); },
      [this](const caf::error& err) {
        if (code_of(err) == errc::not_found) // a new one
          on_loaded({});
        else
          on_not_loaded(err);
      });
}

void thread_scratchbook_state::on_loaded(const file_part& x) {
  scratchbook found{thread_id_, {}, {}};
  if (x.size > 0) {
    auto read = from_stored_text(x.bytes, config_.limits);
    if (!read || read->thread_id != thread_id_) {
      auto why = read ? "it is the scratchbook of another thread" : describe(read.error());
      on_not_loaded(fail(errc::internal, "",
        path_ + " is not a scratchbook (" + why
          + "); it is left as it is: put it right, or move it away to begin a new one"));
      return;
    }
    found = std::move(*read);
  }
  is_loading_ = false;
  book_ = std::move(found);
  stored_bytes_ = x.size;
  for (auto& answer : std::exchange(readers_, {}))
    answer({});
  commit();
}

/// Who asks again makes it try again.
void thread_scratchbook_state::on_not_loaded(const caf::error& err) {
  is_loading_ = false;
  auto unavailable =
    code_of(err) == errc::internal ? err : fail(errc::storage_unavailable, "", describe(err));
  for (auto& answer : std::exchange(readers_, {}))
    answer(unavailable);
  for (auto& x : std::exchange(changes_, {}))
    x.answer.deliver(unavailable);
}

/// All that waits is made on a copy, and written at once.
void thread_scratchbook_state::commit() {
  if (is_saving_ || changes_.empty())
    return;
  auto next = *book_;
  std::vector<made_change> made;
  for (auto& x : std::exchange(changes_, {}))
    made.push_back({x.apply(next), std::move(x.answer)});
  if (next == *book_) { // all of it refused, or nothing new
    for (auto& x : made)
      x.answer.deliver(std::move(x.made));
    return;
  }
  save(std::move(next), std::move(made));
}

/// A book that is full can still be worked on: what an item is and where it is
/// pinned takes a few bytes.
bool thread_scratchbook_state::is_too_much(size_t bytes, size_t changes) const {
  constexpr size_t of_a_mark = 64;
  return bytes > config_.limits.max_bytes && bytes > stored_bytes_ + changes * of_a_mark;
}

void thread_scratchbook_state::save(scratchbook next, std::vector<made_change> made) {
  auto text = to_stored_text(next);
  if (is_too_much(text.size(), made.size())) {
    auto full = fail(errc::overloaded, "",
      "a thread's scratchbook holds at most " + std::to_string(config_.limits.max_bytes)
        + " bytes");
    for (auto& x : made)
      x.answer.deliver(full);
    commit();
    return;
  }
  is_saving_ = true;
  auto size = text.size();
  auto done = std::make_shared<std::vector<made_change>>(std::move(made));
  auto saved = std::make_shared<scratchbook>(std::move(next));
  ask(self_, files_, from_milliseconds(config_.save_ms), write_file{path_, std::move(text)})
    .then(
      [this, done, saved, size] {
        is_saving_ = false;
        book_ = std::move(*saved);
        stored_bytes_ = size;
        for (auto& x : *done)
          x.answer.deliver(std::move(x.made));
        commit();
      },
      [this, done](const caf::error& err) {
        // If it was written all the same, what is written next takes its place.
        is_saving_ = false;
        auto unavailable = fail(errc::storage_unavailable, "", describe(err));
        for (auto& x : *done) {
          if (x.made)
            x.answer.deliver(unavailable);
          else
            x.answer.deliver(std::move(x.made));
        }
        commit();
      });
}

} // namespace scratchpage
