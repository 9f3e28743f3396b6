#include "scratchpage/actors/scratchbook/thread_scratchbook.hpp"

#include <algorithm>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/scratchbook/linked_goals.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_view.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/stored_files/file_versions.hpp"

namespace scratchpage {

namespace {

/// A file of so many bytes takes some time to write, in which other writes to the disk wait.
constexpr uint64_t large_file = 262'144;
constexpr timespan longest_pause = std::chrono::seconds{1};

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
    work_{setup.agent.work()},
    bytes_{std::move(setup.bytes)} {}

thread_scratchbook_state::handle::behavior_type thread_scratchbook_state::make_behavior() {
  return {
    [this](goal_changed& x) { on_goal_changed(std::move(x)); },
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
      "expected at most " + std::to_string(config_.max_waiting)
        + " waiting changes of this scratchbook");
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
      "expected at most " + std::to_string(config_.max_waiting)
        + " waiting readers of this scratchbook");
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
          on_not_loaded(not_the_latest_version(describe(err)));
        else
          on_not_loaded(err);
      });
}

/// The error for a file that is missing or older than the last acknowledged change. Operators
/// accept another file by removing its checksum.
caf::error thread_scratchbook_state::not_the_latest_version(const std::string& why) const {
  return fail(errc::internal, "",
    path_ + " is not the latest version of the scratchbook (" + why
      + "); it is not overwritten. Restore the latest version, or remove the member `checksum` of "
        "an older one to continue with that, or write "
      + R"({"items":[],"thread_id":)" + to_text(json::value(thread_id_))
      + "} to the file to begin a new scratchbook");
}

void thread_scratchbook_state::on_loaded(const file_part& x) {
  auto read = from_stored_file(x.bytes, config_.limits);
  if (!read || read->book.thread_id != thread_id_) {
    auto why = read ? "it is the scratchbook of another thread" : describe(read.error());
    on_not_loaded(fail(errc::internal, "",
      path_ + " is not a scratchbook (" + why
        + "); it is not overwritten. Correct it, or replace it by another one without the member "
          "`checksum`"));
    return;
  }
  if (x.version) {
    if (auto problem = version_problem(read->version, *x.version); !problem.empty())
      return on_not_loaded(not_the_latest_version(problem));
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
      remember(std::move(one));
    is_loading_ = false;
    commit();
  });
}

/// Answers all requests that wait with an error. The next request reads the file again.
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

/// A book that has not been read yet ignores the change: it looks up its goals when it is read.
void thread_scratchbook_state::on_goal_changed(goal_changed x) {
  if (!book_)
    return;
  auto awaited = awaited_goals(*book_);
  auto is_awaited = std::binary_search(awaited.begin(), awaited.end(), x.goal_id);
  if (!is_awaited && !is_busy_ && changes_.empty()) // no pending change can link to it either
    return;
  remember(std::move(x));
  if (is_ready())
    commit();
}

/// Keeps the latest change of a goal until the next commit, if something was completed by it.
void thread_scratchbook_state::remember(goal_changed x) {
  if (x.status != goal_status::completed && x.done.empty())
    return;
  auto& known = changed_goals_[x.goal_id];
  if (known.goal_id.empty() || known.revision < x.revision)
    known = std::move(x);
}

/// Tries a change on a copy of its item. Returns the result if the Frontal Cortex has to be asked
/// about it first.
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

/// Asks the Frontal Cortex about the next change. Later changes wait for its answer.
void thread_scratchbook_state::ask_about(const trial& x) {
  is_busy_ = true;
  auto answered = [this](const caf::error& err) {
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
    goals_.complete(x.after, by, answered);
  else
    goals_.check(x.after, by, answered);
}

// -- changes -------------------------------------------------------------------------

/// Makes the changes that wait on a copy of the book, up to the first one that the Frontal Cortex
/// has to be asked about, and saves the copy.
void thread_scratchbook_state::commit() {
  if (is_busy_)
    return;
  if (is_pausing_) {
    commits_after_pause_ = true;
    return;
  }
  if (changes_.empty() && changed_goals_.empty())
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
  auto goals = std::exchange(changed_goals_, {});
  for (const auto& [id, x] : goals)
    trace_completed(x, complete_linked(next, x, now_ns(), config_.limits));
  if (next != *book_)
    return save(std::move(next), std::move(made), std::move(goals));
  pause_if_large();
  for (auto& x : made) // refused, or without a difference
    x.answer.deliver(std::move(x.made));
  answer_readers({});
  if (asked)
    ask_about(*asked);
}

/// Pauses after a commit of a large book, for as long as the commit took. So one book uses at most
/// half of the time of the threads that change and write it, and the changes that come meanwhile
/// are made together.
void thread_scratchbook_state::pause_if_large() {
  auto took = std::min(clock_->steady() - begun_, longest_pause);
  if (stored_bytes_ < large_file || took <= timespan{})
    return;
  is_pausing_ = true;
  self_->run_delayed(took, [this] {
    is_pausing_ = false;
    if (std::exchange(commits_after_pause_, false))
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

/// Whether the book is too large to be saved. In a full book a change of a status or a pin, which
/// takes a few bytes, is still possible.
bool thread_scratchbook_state::is_too_large(size_t bytes, size_t changes) const {
  constexpr size_t bytes_of_mark = 64;
  return bytes > config_.limits.max_bytes && bytes > stored_bytes_ + changes * bytes_of_mark;
}

void thread_scratchbook_state::save(
  scratchbook next, std::vector<made_change> made, goals_by_id goals) {
  // No revision is used twice, because a write that failed may have reached the disk.
  auto file = to_stored_file(next, ++revision_);
  if (is_too_large(file.text.size(), made.size() + goals.size())) {
    auto full = fail(errc::overloaded, "",
      "a thread's scratchbook holds at most " + std::to_string(config_.limits.max_bytes)
        + " bytes");
    pause_if_large();
    return not_saved(made, full, goals);
  }
  is_busy_ = true;
  auto size = file.text.size();
  auto done = std::make_shared<std::vector<made_change>>(std::move(made));
  auto saved = std::make_shared<scratchbook>(std::move(next));
  auto works = work_.begin(); // nobody may wait for it: a goal may have changed
  write_file request{path_, std::move(file.text), std::move(file.version)};
  ask(self_, files_, from_milliseconds(config_.save_ms), std::move(request))
    .then(
      [this, done, saved, size, works] {
        is_busy_ = false;
        book_ = std::move(*saved);
        note_size(size);
        pause_if_large();
        for (auto& x : *done)
          x.answer.deliver(std::move(x.made));
        commit();
      },
      [this, done, goals = std::move(goals)](const caf::error& err) {
        // If the file was written nevertheless, the next write replaces it.
        is_busy_ = false;
        pause_if_large();
        not_saved(*done, fail(errc::storage_unavailable, "", describe(err)), goals);
      });
}

/// Refuses the changes. The changes of goals are kept, and the next commit tries them again.
void thread_scratchbook_state::not_saved(
  std::vector<made_change>& made, const caf::error& why, const goals_by_id& goals) {
  for (auto& x : made)
    if (x.made)
      x.answer.deliver(why);
    else
      x.answer.deliver(std::move(x.made));
  if (!changes_.empty())
    commit();
  else
    answer_readers({});
  for (const auto& [id, x] : goals)
    remember(x);
}

} // namespace scratchpage
