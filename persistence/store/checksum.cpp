#include "scratchpage/persistence/store/checksum.hpp"

#include <xxhash.h>

#include <array>
#include <charconv>
#include <limits>
#include <string>
#include <string_view>

#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/persistence/store/store_errors.hpp"

namespace scratchpage {

namespace {

template <class... Ts>
std::string line(const Ts&... xs) {
  std::string result;
  ((result += std::to_string(xs) + ' '), ...);
  return result;
}

/// The same text as `line` gives for two numbers, but not on the heap: there is one for each row of
/// a snapshot.
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

  static constexpr size_t longest = std::numeric_limits<uint64_t>::digits10 + 2; // with the blank

  std::array<char, 2 * longest> text_;
  char* end_ = text_.data();
};

} // namespace

uint64_t checksum_of(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

struct running_checksum::state {
  XXH3_state_t* of = XXH3_createState();

  state() { XXH3_64bits_reset(of); }
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state() { XXH3_freeState(of); }
};

running_checksum::running_checksum()
  : state_{std::make_unique<state>()} {}
running_checksum::running_checksum(running_checksum&&) noexcept = default;
running_checksum& running_checksum::operator=(running_checksum&&) noexcept = default;
running_checksum::~running_checksum() = default;

void running_checksum::add(std::string_view bytes) {
  XXH3_64bits_update(state_->of, bytes.data(), bytes.size());
}

uint64_t running_checksum::value() const {
  return XXH3_64bits_digest(state_->of);
}

uint64_t sum_of(uint64_t number, uint64_t checksum) {
  return checksum_of(short_line{number, checksum}.text());
}

uint64_t sum_of(const archive_row& x) {
  auto all = line(x.sequence, x.checksum, sql::stored(x.created_at), sql::stored(x.left_at));
  for (const auto* text : {&x.observation_id, &x.type, &x.status, &x.source, &x.owner, &x.turn_id})
    all.append(*text).push_back('\0'); // to_archive_row lets no text have this character
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
  return *now == wanted_ ? needs_repair(what_ + ": some are missing or changed") : caf::error{};
}

} // namespace scratchpage
