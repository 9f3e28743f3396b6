#include "scratchpage/actors/scratchbook/thread_scratchbook.hpp"

#include <algorithm>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/scratchbook/item_links.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_view.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/stored_files/kept_versions.hpp"

namespace scratchpage {

namespace {

/// A file of so many bytes takes a while to write, and whoever shares the disk waits for it.
constexpr uint64_t large_file = 262'144;
constexpr timespan longest_rest = std::chrono::seconds{1};

caf::expected<scratchbook_item> mark_item(scratchbook& in, std::string_view id, item_mark as,
  int64_t now_ns, const scratchbook_limits& limits) {
  switch (as) {
  case item_mark::complete:
    return complete_item(in, id, now_ns, limits);
  case item_mark::pin:
    return pin_item(in, id, limits);
  default: // unpin
    return unpin_item(in, id);
  }
}

} // namespace

thread_scratchbook_state::thread_scratchbook_state(
  handle::pointer self, std::string thread_id, thread_scratchbook_setup setup)
  : self_{self},
    thread_id_{std::move(thread_id)},
    path_{scratchbook_path(setup.config, thread_id_)},
    files_{std::move(setup.files)},
    clock_{setup.agent.clock},
    config_{std::move(setup.config)},
    count_{std::move(setup.count)},
    goals_{self, std::move(setup.goals), from_milliseconds(config_.goal_ms)},
    trace_{setup.agent, "scratchbooks", setup.trace_number},
    bytes_{std::move(setup.bytes)} {}

thread_scratchbook_state::handle::behavior_type thread_scratchbook_state::make_behavior() {
  return {
    [this](goal_changed& x) { hear(std::move(x)); },
    [this](const scratch_read& x) {
      return when_read<scratch_view>([this, after = x.after, reader = said_by(x.by)] {
        return render_view(*book_, config_.view, count_, after, reader);
      });
    },
    [this](const scratch_list&) { return when_read<scratchbook>([this] { return *book_; }); },
    [this](scratch_add& x) {
      auto is_linked = !x.item.goal_id.empty();
      return enqueue(
        x.by, {}, is_linked, [this, item = std::move(x.item), by = said_by(x.by)](scratchbook& to) {
          return add_item(to, item, now_ns(), config_.limits, by);
        });
    },
    [this](scratch_update& x) {
      auto ends = x.changes.status == item_status::done;
      return enqueue(x.by, x.id, ends,
        [this, id = x.id, changes = std::move(x.changes), by = said_by(x.by)](
          scratchbook& in) { return update_item(in, id, changes, now_ns(), config_.limits, by); });
    },
    [this](scratch_mark& x) {
      auto ends = x.mark == item_mark::complete;
      return enqueue(x.by, x.id, ends, [this, id = x.id, as = x.mark](scratchbook& in) {
        return mark_item(in, id, as, now_ns(), config_.limits);
      });
    },
  };
}

int64_t thread_scratchbook_state::now_ns() const {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(clock_->now().time_since_epoch())
    .count();
}

caf::result<scratchbook_item> thread_scratchbook_state::enqueue(
  const caller& by, std::string item_id, bool concerns_goals, change x) {
  if (changes_.size() >= config_.max_waiting)
    return fail(errc::overloaded, "",
      std::to_string(config_.max_waiting) + " changes of this scratchbook wait already");
  auto answer = self_->make_response_promise<scratchbook_item>();
  changes_.push_back(
    {by, std::move(item_id), std::move(x), answer, concerns_goals && static_cast<bool>(goals_)});
  if (is_ready())
    commit();
  else
    load();
  return answer;
}

template <class T>
caf::result<T> thread_scratchbook_state::when_read(std::function<T()> read) {
  if (is_ready())
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
  read_file request{path_, 0, uint64_t{2} * config_.limits.max_bytes, true};
  ask(self_, files_, from_milliseconds(config_.save_ms), std::move(request))
    .then([this](const file_part& x) { on_loaded(x); },
      [this](const caf::error& err) {
        if (code_of(err) == errc::not_found)
          begin_with({{thread_id_, {}, {}}, {}}, 0);
        else if (code_of(err) == errc::internal)
          on_not_loaded(not_what_was_acknowledged(describe(err)));
        else
          on_not_loaded(err);
      });
}

/// The file is missing or an older one. Who begins a new book says so in a file without
/// checksum.
caf::error thread_scratchbook_state::not_what_was_acknowledged(const std::string& why) const {
  return fail(errc::internal, "",
    path_ + " is not the scratchbook that was acknowledged (" + why
      + "); nothing is written there: put the right one back, remove the member `checksum` of an "
        "older one to go on with it, or put "
      + R"({"items":[],"thread_id":)" + to_text(json::value(thread_id_))
      + "} there to begin a new one");
}

void thread_scratchbook_state::on_loaded(const file_part& x) {
  auto read = from_stored_file(x.bytes, config_.limits);
  if (!read || read->book.thread_id != thread_id_) {
    auto why = read ? "it is the scratchbook of another thread" : describe(read.error());
    on_not_loaded(fail(errc::internal, "",
      path_ + " is not a scratchbook (" + why
        + "); it is left as it is: put it right, or put another one in its place, without "
          "checksum"));
    return;
  }
  if (x.version) {
    if (auto problem = version_problem(read->version, *x.version); !problem.empty())
      return on_not_loaded(not_what_was_acknowledged(problem));
    read->version.revision = std::max(read->version.revision, x.version->revision);
  }
  begin_with(std::move(*read), x.size);
}

void thread_scratchbook_state::begin_with(stored_scratchbook x, uint64_t bytes) {
  book_ = std::move(x.book);
  revision_ = x.version.revision;
  note_size(bytes);
  goals_.look_up(awaited_goals(*book_), [this](std::vector<goal_changed> goals) {
    for (auto& one : goals)
      keep_in_mind(std::move(one));
    is_loading_ = false;
    commit();
  });
}

/// Who asks again makes it try again.
void thread_scratchbook_state::on_not_loaded(const caf::error& err) {
  is_loading_ = false;
  note_size(0);
  auto unavailable =
    code_of(err) == errc::internal ? err : fail(errc::storage_unavailable, "", describe(err));
  answer_readers(unavailable);
  for (auto& x : std::exchange(changes_, {}))
    x.answer.deliver(unavailable);
}

// -- goals ---------------------------------------------------------------------------

/// A book that is not read yet looks its goals up when it is.
void thread_scratchbook_state::hear(goal_changed x) {
  if (!book_)
    return;
  auto awaited = awaited_goals(*book_);
  auto is_awaited = std::binary_search(awaited.begin(), awaited.end(), x.goal_id);
  if (!is_awaited && !is_busy_ && changes_.empty()) // nor will it be by what is being made
    return;
  keep_in_mind(std::move(x));
  if (is_ready())
    commit();
}

/// Until the next commit; of a goal the latest.
void thread_scratchbook_state::keep_in_mind(goal_changed x) {
  if (x.status != goal_status::completed && x.done.empty())
    return;
  auto& known = heard_[x.goal_id];
  if (known.goal_id.empty() || known.revision < x.revision)
    known = std::move(x);
}

/// What a change would make of its item alone, if that has to do with goals.
std::optional<thread_scratchbook_state::trial> thread_scratchbook_state::try_out(
  const waiting_change& x, const scratchbook& in) const {
  if (!x.concerns_goals)
    return std::nullopt;
  scratchbook one{thread_id_, {}, {}};
  for (const auto& item : in.items)
    if (item.id == x.item_id)
      one.items.push_back(item);
  trial result;
  if (!one.items.empty())
    result.before = one.items.front();
  auto made = x.apply(one);
  if (!made)
    return std::nullopt; // it will be refused
  result.after = std::move(*made);
  auto is_linked = !result.after.goal_id.empty();
  if (!is_linked || (result.before && !completes_link(*result.before, result.after)))
    return std::nullopt;
  return result;
}

/// The change that is next waits for the Frontal Cortex, and the others for it.
void thread_scratchbook_state::ask_about(const trial& x) {
  is_busy_ = true;
  auto heard = [this](const caf::error& err) {
    is_busy_ = false;
    changes_.front().concerns_goals = false;
    if (err) {
      changes_.front().answer.deliver(err);
      changes_.pop_front();
    }
    commit();
  };
  const auto& by = changes_.front().by;
  if (x.before)
    goals_.complete(x.after, by, heard);
  else
    goals_.check(x.after, by, heard);
}

// -- changes -------------------------------------------------------------------------

/// All that waits is made on a copy, up to what a goal has to be asked about, and
/// written at once.
void thread_scratchbook_state::commit() {
  if (is_busy_)
    return;
  if (is_resting_) {
    is_wanted_ = true;
    return;
  }
  if (changes_.empty() && heard_.empty())
    return answer_readers({});
  begun_ = clock_->steady();
  auto next = *book_;
  std::vector<made_change> made;
  std::optional<trial> asked;
  while (!changes_.empty() && !(asked = try_out(changes_.front(), next))) {
    auto& x = changes_.front();
    made.push_back({x.apply(next), std::move(x.answer)});
    changes_.pop_front();
  }
  auto heard = std::exchange(heard_, {});
  for (const auto& [id, x] : heard)
    trace_completed(x, complete_linked(next, x, now_ns(), config_.limits));
  if (next != *book_)
    return save(std::move(next), std::move(made), std::move(heard));
  rest();
  for (auto& x : made) // all of it refused, or nothing new
    x.answer.deliver(std::move(x.made));
  answer_readers({});
  if (asked)
    ask_about(*asked);
}

/// After the changes of a large book, for as long as they took. So a book takes at most half of
/// the time of whoever makes and writes its changes, and those that come meanwhile are made
/// together.
void thread_scratchbook_state::rest() {
  auto took = std::min(clock_->steady() - begun_, longest_rest);
  if (stored_bytes_ < large_file || took <= timespan{})
    return;
  is_resting_ = true;
  self_->run_delayed(took, [this] {
    is_resting_ = false;
    if (std::exchange(is_wanted_, false))
      commit();
  });
}

void thread_scratchbook_state::note_size(uint64_t stored) {
  stored_bytes_ = stored;
  if (bytes_)
    *bytes_ = memory_of_book(stored);
}

void thread_scratchbook_state::trace_completed(
  const goal_changed& x, const std::vector<std::string>& items) {
  for (const auto& id : items)
    trace_.write("complete_linked", as_daemon("frontal_cortex"),
      {{"thread_id", thread_id_}, {"id", id}, {"goal_id", x.goal_id}});
}

void thread_scratchbook_state::answer_readers(const caf::error& err) {
  for (auto& answer : std::exchange(readers_, {}))
    answer(err);
}

/// A book that is full can still be worked on: what an item is and where it is
/// pinned takes a few bytes.
bool thread_scratchbook_state::is_too_much(size_t bytes, size_t changes) const {
  constexpr size_t of_a_mark = 64;
  return bytes > config_.limits.max_bytes && bytes > stored_bytes_ + changes * of_a_mark;
}

void thread_scratchbook_state::save(
  scratchbook next, std::vector<made_change> made, goals_by_id heard) {
  // Whether a revision that could not be written was written all the same is not known, so
  // none is used twice.
  auto file = to_stored_file(next, ++revision_);
  if (is_too_much(file.text.size(), made.size() + heard.size())) {
    auto full = fail(errc::overloaded, "",
      "a thread's scratchbook holds at most " + std::to_string(config_.limits.max_bytes)
        + " bytes");
    rest();
    return not_saved(made, full, heard);
  }
  is_busy_ = true;
  auto size = file.text.size();
  auto done = std::make_shared<std::vector<made_change>>(std::move(made));
  auto saved = std::make_shared<scratchbook>(std::move(next));
  write_file request{path_, std::move(file.text), std::move(file.version)};
  ask(self_, files_, from_milliseconds(config_.save_ms), std::move(request))
    .then(
      [this, done, saved, size] {
        is_busy_ = false;
        book_ = std::move(*saved);
        note_size(size);
        rest();
        for (auto& x : *done)
          x.answer.deliver(std::move(x.made));
        commit();
      },
      [this, done, heard = std::move(heard)](const caf::error& err) {
        // If it was written all the same, what is written next takes its place.
        is_busy_ = false;
        rest();
        not_saved(*done, fail(errc::storage_unavailable, "", describe(err)), heard);
      });
}

/// What was heard of goals waits for the next change, which tries again.
void thread_scratchbook_state::not_saved(
  std::vector<made_change>& made, const caf::error& why, const goals_by_id& heard) {
  for (auto& x : made)
    if (x.made)
      x.answer.deliver(why);
    else
      x.answer.deliver(std::move(x.made));
  if (!changes_.empty())
    commit();
  else
    answer_readers({});
  for (const auto& [id, x] : heard)
    keep_in_mind(x);
}

} // namespace scratchpage
