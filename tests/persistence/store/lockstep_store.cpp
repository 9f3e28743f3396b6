#include "scratchpage/tests/persistence/store/lockstep_store.hpp"

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/persistence/store/read_all.hpp"
#include "scratchpage/tests/support/memory_store.hpp"

namespace scratchpage::test {

namespace {

std::string answer(const caf::error& x) {
  return text_of(x);
}

std::string answer(const std::vector<caf::error>& xs) {
  return texts_of(xs);
}

/// Without the keys, which have random bits.
std::string answer(const caf::expected<ownership>& x) {
  return x ? std::to_string(x->epoch) : text_of(x.error());
}

std::string answer(const caf::expected<snapshot_head>& x) {
  return x ? text_of(*x) : text_of(x.error());
}

std::string answer(const caf::expected<uint64_t>& x) {
  return x ? std::to_string(*x) : text_of(x.error());
}

std::string answer(const caf::expected<std::optional<uint64_t>>& x) {
  if (!x)
    return text_of(x.error());
  return *x ? std::to_string(**x) : "none";
}

std::string answer(const caf::expected<std::vector<std::string>>& x) {
  if (!x)
    return text_of(x.error());
  std::string text;
  for (const auto& name : *x)
    text += name + '\n';
  return text;
}

} // namespace

template <class F>
auto lockstep_store::both(F f) -> decltype(f(std::declval<store&>())) {
  auto wanted = f(*model_);
  auto got = f(*tested_);
  BOOST_TEST(answer(got) == answer(wanted));
  return got;
}

template <class T, class Read>
caf::error lockstep_store::both_read(Read read, const visitor<T>& f) {
  auto wanted = lines<T>([&](auto each) { return read(*model_, each); });
  auto got = lines<T>([&](auto each) { return read(*tested_, each); });
  BOOST_TEST(got == wanted);
  return read(*tested_, f);
}

caf::expected<ownership> lockstep_store::claim(const std::string& agent_id) {
  auto got = both([&](store& x) { return x.claim(agent_id); });
  if (auto* model = dynamic_cast<memory_store*>(model_); model != nullptr && got)
    model->adopt(agent_id, *got);
  return got;
}

caf::expected<std::optional<uint64_t>> lockstep_store::find_agent(const std::string& agent_id) {
  return both([&](store& x) { return x.find_agent(agent_id); });
}

caf::expected<std::vector<std::string>> lockstep_store::agents() {
  return both([&](store& x) { return x.agents(); });
}

caf::expected<std::vector<std::string>> lockstep_store::agents_after(
  const std::string& after, uint64_t most) {
  return both([&](store& x) { return x.agents_after(after, most); });
}

std::vector<caf::error> lockstep_store::append(std::span<const journal_append> xs) {
  return both([&](store& x) { return x.append(xs); });
}

caf::error lockstep_store::read_journal(
  uint64_t agent, uint64_t after, const visitor<journal_group>& f) {
  return both_read([&](store& x, auto each) { return x.read_journal(agent, after, each); }, f);
}

caf::expected<uint64_t> lockstep_store::end_of_journal(uint64_t agent) {
  return both([&](store& x) { return x.end_of_journal(agent); });
}

caf::expected<uint64_t> lockstep_store::sum_of_documents(
  uint64_t agent, const std::string& collection) {
  return both([&](store& x) { return x.sum_of_documents(agent, collection); });
}

caf::expected<uint64_t> lockstep_store::sum_of_archive(uint64_t agent) {
  return both([&](store& x) { return x.sum_of_archive(agent); });
}

caf::error lockstep_store::cut_journal(const ownership& by, uint64_t after) {
  return both([&](store& x) { return x.cut_journal(by, after); });
}

caf::error lockstep_store::forget_journal(const ownership& by, uint64_t until) {
  return both([&](store& x) { return x.forget_journal(by, until); });
}

caf::error lockstep_store::rewrite_journal(const ownership& by, std::span<const journal_group> xs) {
  return both([&](store& x) { return x.rewrite_journal(by, xs); });
}

caf::expected<snapshot_head> lockstep_store::find_snapshot(uint64_t agent, snapshot_kind kind) {
  return both([&](store& x) { return x.find_snapshot(agent, kind); });
}

caf::error lockstep_store::read_snapshot(
  uint64_t agent, snapshot_kind kind, const visitor<snapshot_row>& f) {
  return both_read([&](store& x, auto each) { return x.read_snapshot(agent, kind, each); }, f);
}

caf::error lockstep_store::move_snapshot(const ownership& by, snapshot_kind kind,
  const snapshot_head& head, std::span<const snapshot_row> changed) {
  return both([&](store& x) { return x.move_snapshot(by, kind, head, changed); });
}

caf::error lockstep_store::put(const ownership& by, std::span<const document> xs) {
  return both([&](store& x) { return x.put(by, xs); });
}

caf::error lockstep_store::read_documents(
  uint64_t agent, const std::string& collection, const visitor<document>& f) {
  return both_read(
    [&](store& x, auto each) { return x.read_documents(agent, collection, each); }, f);
}

caf::error lockstep_store::find_documents(uint64_t agent, const std::string& collection,
  const document_range& range, const visitor<document>& f) {
  return both_read(
    [&](store& x, auto each) { return x.find_documents(agent, collection, range, each); }, f);
}

caf::error lockstep_store::read_archive(
  uint64_t agent, const archive_range& range, const visitor<archive_row>& f) {
  return both_read([&](store& x, auto each) { return x.read_archive(agent, range, each); }, f);
}

caf::expected<uint64_t> lockstep_store::pack_archive(
  const ownership& by, timestamp left_before, uint64_t most) {
  return both([&](store& x) { return x.pack_archive(by, left_before, most); });
}

caf::error lockstep_store::remove_archived(
  const ownership& by, std::span<const uint64_t> sequences) {
  return both([&](store& x) { return x.remove_archived(by, sequences); });
}

caf::error lockstep_store::scrub() {
  return both([&](store& x) { return x.scrub(); });
}

caf::expected<std::vector<std::string>> lockstep_store::collections(uint64_t agent) {
  return both([&](store& x) { return x.collections(agent); });
}

caf::error lockstep_store::begin_journal(const ownership& by, uint64_t after) {
  return both([&](store& x) { return x.begin_journal(by, after); });
}

caf::error lockstep_store::add_archived(const ownership& by, std::span<const archive_row> xs) {
  return both([&](store& x) { return x.add_archived(by, xs); });
}

void lockstep_store::check_contents() {
  BOOST_TEST(contents_of(*tested_) == contents_of(*model_));
}

} // namespace scratchpage::test
