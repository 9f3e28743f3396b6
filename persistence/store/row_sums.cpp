#include "scratchpage/persistence/store/row_sums.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <string>
#include <string_view>

#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/sql_statements.hpp"
#include "scratchpage/persistence/store/store_errors.hpp"

namespace scratchpage {

namespace {

template <class... Ts>
std::string line(const Ts&... xs) {
  std::string result;
  ((result += std::to_string(xs) + ' '), ...);
  return result;
}

/// `line` of two numbers, as each row of a snapshot has, without a text on the heap.
class short_line {
public:
  short_line(uint64_t first, uint64_t second) {
    add(first);
    add(second);
  }

  std::string_view text() const { return {text_.data(), static_cast<size_t>(end_ - text_.data())}; }

private:
  void add(uint64_t x) {
    end_ = std::to_chars(end_, text_.data() + text_.size(), x).ptr;
    *end_++ = ' ';
  }

  static constexpr size_t longest = std::numeric_limits<uint64_t>::digits10 + 2; // and a blank

  std::array<char, 2 * longest> text_;
  char* end_ = text_.data();
};

} // namespace

uint64_t sum_of(uint64_t number, uint64_t checksum) {
  return checksum_of(short_line{number, checksum}.text());
}

uint64_t sum_of(const archive_row& x) {
  auto all = line(x.sequence, x.checksum, sql::stored(x.created_at), sql::stored(x.left_at));
  for (const auto* text : {&x.observation_id, &x.type, &x.status, &x.source, &x.owner, &x.turn_id})
    all.append(*text).push_back('\0'); // which to_archive_row lets none of them have
  return checksum_of(all);
}

uint64_t sum_of(std::string_view key, uint64_t checksum) {
  return checksum_of(line(checksum).append(key));
}

uint64_t checksum_of(uint64_t agent, snapshot_kind kind, const snapshot_head& head) {
  return checksum_of(line(agent, static_cast<int>(kind), head.sequence, head.last_number,
    head.expired, head.evicted, sql::stored(head.at), head.rows));
}

caf::error snapshot_rows_check::check(
  store& in, uint64_t agent, snapshot_kind kind, const snapshot_head& head) const {
  if (sum_ == head.rows)
    return {};
  auto now = in.find_snapshot(agent, kind);
  if (!now)
    return now.error();
  if (*now != head)
    return {};
  return needs_repair("the " + to_string(kind) + " snapshot, of the page at sequence "
                      + std::to_string(head.sequence)
                      + ", does not have the observations that were written to it");
}

sum_check sum_check::of_documents(store& in, uint64_t agent, const std::string& collection) {
  auto kept = [&in, agent, collection] { return in.sum_of_documents(agent, collection); };
  return {kept, "the documents of '" + collection + "' are not those that were written"};
}

sum_check sum_check::of_archive(store& in, uint64_t agent) {
  auto kept = [&in, agent] { return in.sum_of_archive(agent); };
  return {kept, "the archive does not have the observations that were written to it"};
}

caf::error sum_check::begin() {
  auto kept = kept_();
  if (!kept)
    return kept.error();
  wanted_ = *kept;
  return {};
}

caf::error sum_check::end() {
  if (sum_ == wanted_)
    return {};
  auto now = kept_();
  if (!now)
    return now.error();
  return *now == wanted_ ? needs_repair(what_ + ": some are missing, or are others") : caf::error{};
}

} // namespace scratchpage
