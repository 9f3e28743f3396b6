#include "scratchpage/tests/support/faulty_store.hpp"

#include <utility>

#include "scratchpage/messages/error.hpp"

namespace scratchpage::test {

void faulty_store::fail_before(uint64_t nth) {
  std::lock_guard lock{mutex_};
  fails_before_ = writes_ + nth;
}

void faulty_store::fail_after(uint64_t nth) {
  std::lock_guard lock{mutex_};
  fails_after_ = writes_ + nth;
}

void faulty_store::set_disk_full(bool full) {
  std::lock_guard lock{mutex_};
  is_full_ = full;
}

void faulty_store::before_write(std::function<void()> f) {
  std::lock_guard lock{mutex_};
  before_write_ = std::move(f);
}

uint64_t faulty_store::writes() const {
  std::lock_guard lock{mutex_};
  return writes_;
}

faulty_store::fate faulty_store::next_fate() {
  std::lock_guard lock{mutex_};
  ++writes_;
  if (is_full_ || fails_before_ == writes_)
    return fate::fails_before;
  return fails_after_ == writes_ ? fate::fails_after : fate::works;
}

template <class F>
auto faulty_store::write(F f) -> decltype(f()) {
  std::function<void()> wait;
  {
    std::lock_guard lock{mutex_};
    wait = before_write_;
  }
  if (wait)
    wait();
  auto fate = next_fate();
  if (fate == fate::fails_before)
    return fail(errc::storage_unavailable, "", "nothing is written: this write was to fail");
  auto answer = f();
  if (fate == fate::fails_after)
    return fail(errc::storage_unavailable, "", "it is written, but the answer was to be lost");
  return answer;
}

caf::expected<ownership> faulty_store::claim(const std::string& agent_id) {
  return write([&] { return under_.claim(agent_id); });
}

caf::expected<std::optional<uint64_t>> faulty_store::find_agent(const std::string& agent_id) {
  return under_.find_agent(agent_id);
}

caf::expected<std::vector<std::string>> faulty_store::agents() {
  return under_.agents();
}

caf::expected<std::vector<std::string>> faulty_store::agents_after(
  const std::string& after, uint64_t most) {
  return under_.agents_after(after, most);
}

std::vector<caf::error> faulty_store::append(std::span<const journal_append> xs) {
  std::vector<caf::error> verdicts;
  auto err = write([&]() -> caf::error {
    verdicts = under_.append(xs);
    return {};
  });
  return err ? std::vector<caf::error>(xs.size(), err) : verdicts;
}

caf::error faulty_store::read_journal(
  uint64_t agent, uint64_t after, const visitor<journal_group>& f) {
  return under_.read_journal(agent, after, f);
}

caf::expected<uint64_t> faulty_store::end_of_journal(uint64_t agent) {
  return under_.end_of_journal(agent);
}

caf::expected<uint64_t> faulty_store::sum_of_documents(
  uint64_t agent, const std::string& collection) {
  return under_.sum_of_documents(agent, collection);
}

caf::expected<uint64_t> faulty_store::sum_of_archive(uint64_t agent) {
  return under_.sum_of_archive(agent);
}

caf::error faulty_store::cut_journal(const ownership& by, uint64_t after) {
  return write([&] { return under_.cut_journal(by, after); });
}

caf::error faulty_store::forget_journal(const ownership& by, uint64_t until) {
  return write([&] { return under_.forget_journal(by, until); });
}

caf::error faulty_store::rewrite_journal(const ownership& by, std::span<const journal_group> xs) {
  return write([&] { return under_.rewrite_journal(by, xs); });
}

caf::expected<snapshot_head> faulty_store::find_snapshot(uint64_t agent, snapshot_kind kind) {
  return under_.find_snapshot(agent, kind);
}

caf::error faulty_store::read_snapshot(
  uint64_t agent, snapshot_kind kind, const visitor<snapshot_row>& f) {
  return under_.read_snapshot(agent, kind, f);
}

caf::error faulty_store::move_snapshot(const ownership& by, snapshot_kind kind,
  const snapshot_head& head, std::span<const snapshot_row> changed) {
  return write([&] { return under_.move_snapshot(by, kind, head, changed); });
}

caf::error faulty_store::put(const ownership& by, std::span<const document> xs) {
  return write([&] { return under_.put(by, xs); });
}

caf::error faulty_store::read_documents(
  uint64_t agent, const std::string& collection, const visitor<document>& f) {
  return under_.read_documents(agent, collection, f);
}

caf::error faulty_store::find_documents(uint64_t agent, const std::string& collection,
  const document_range& range, const visitor<document>& f) {
  return under_.find_documents(agent, collection, range, f);
}

caf::error faulty_store::read_archive(
  uint64_t agent, const archive_range& range, const visitor<archive_row>& f) {
  return under_.read_archive(agent, range, f);
}

caf::expected<uint64_t> faulty_store::pack_archive(
  const ownership& by, timestamp left_before, uint64_t most) {
  return write([&] { return under_.pack_archive(by, left_before, most); });
}

caf::error faulty_store::remove_archived(const ownership& by, std::span<const uint64_t> sequences) {
  return write([&] { return under_.remove_archived(by, sequences); });
}

caf::error faulty_store::scrub() {
  return write([&] { return under_.scrub(); });
}

caf::expected<std::vector<std::string>> faulty_store::collections(uint64_t agent) {
  return under_.collections(agent);
}

caf::error faulty_store::begin_journal(const ownership& by, uint64_t after) {
  return write([&] { return under_.begin_journal(by, after); });
}

caf::error faulty_store::add_archived(const ownership& by, std::span<const archive_row> xs) {
  return write([&] { return under_.add_archived(by, xs); });
}

} // namespace scratchpage::test
