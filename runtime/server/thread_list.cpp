#include "scratchpage/runtime/server/thread_list.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <caf/event_based_actor.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/files/file_name.hpp"
#include "scratchpage/persistence/store/documents.hpp"

namespace scratchpage::server {

namespace {

constexpr timespan book_timeout = std::chrono::seconds{2};
constexpr std::string_view book_ending = ".json";

std::optional<unsigned> digit_of(char x) {
  if (x >= '0' && x <= '9')
    return x - '0';
  if (x >= 'a' && x <= 'f')
    return x - 'a' + 10;
  return std::nullopt;
}

/// The id with this file name; nothing if the id was too long for it.
std::optional<std::string> id_of_file(std::string_view name) {
  std::string result;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '%') {
      result += name[i];
      continue;
    }
    if (i + 2 >= name.size())
      return std::nullopt;
    auto high = digit_of(name[i + 1]), low = digit_of(name[i + 2]);
    if (!high || !low)
      return std::nullopt;
    result += static_cast<char>(*high * 16 + *low);
    i += 2;
  }
  // Whatever else is in the folder is no scratchbook.
  return !result.empty() && file_name_for(result) == name ? std::optional{result} : std::nullopt;
}

std::string text_of(timestamp x) {
  return std::string{to_json(x).as_string()};
}

json::object summary_of(const scratchbook& x) {
  uint64_t items = 0, open = 0;
  int64_t last_ns = 0;
  for (const auto& one : x.items) {
    last_ns = std::max(last_ns, one.updated_at_ns);
    items += one.status != item_status::archived;
    open += is_open(one.status);
  }
  json::object result{{"thread_id", json::string_view{x.thread_id.data(), x.thread_id.size()}},
    {"items", items}, {"open", open}};
  if (last_ns > 0)
    result["updated_at"] = text_of(timestamp{std::chrono::nanoseconds{last_ns}});
  return result;
}

/// Reads the scratchbooks one after another, so that few of them are in memory at once.
class thread_collection : public std::enable_shared_from_this<thread_collection> {
public:
  thread_collection(caf::event_based_actor* self, scratchbook_actor books, caller by,
    thread_names names, std::function<void(json::object)> then)
    : self_{self},
      books_{std::move(books)},
      by_{std::move(by)},
      names_{std::move(names)},
      then_{std::move(then)} {}

  void next() {
    if (at_ == names_.ids.size())
      return finish();
    const auto& id = names_.ids[at_++];
    ask(self_, books_, book_timeout, scratch_list{by_, id})
      .then(
        [me = shared_from_this()](const scratchbook& x) {
          me->found_.push_back(summary_of(x));
          me->next();
        },
        [me = shared_from_this()](const caf::error&) {
          ++me->names_.left_out;
          me->next();
        });
  }

private:
  /// Times in this form are in the order of their texts.
  void finish() {
    auto last = [](const json::object& x) {
      const auto* at = x.if_contains("updated_at");
      return at != nullptr ? std::string_view{at->get_string()} : std::string_view{};
    };
    std::ranges::stable_sort(
      found_, [&](const auto& a, const auto& b) { return last(a) > last(b); });
    json::array threads;
    for (auto& one : found_)
      threads.push_back(std::move(one));
    then_({{"threads", std::move(threads)}, {"left_out", names_.left_out}});
  }

  caf::event_based_actor* self_;
  scratchbook_actor books_;
  caller by_;
  thread_names names_;
  std::function<void(json::object)> then_;
  size_t at_ = 0;
  std::vector<json::object> found_;
};

} // namespace

caf::expected<thread_names> find_threads(
  store& in, const std::string& agent_id, const std::string& folder) {
  thread_names result;
  auto key = in.find_agent(agent_id);
  if (!key)
    return key.error();
  if (!*key)
    return result;
  auto take = [&](document&& x) {
    auto inside = std::string_view{x.key};
    if (!inside.starts_with(folder) || !inside.ends_with(book_ending))
      return true;
    inside.remove_prefix(folder.size());
    inside.remove_suffix(std::min(inside.size(), book_ending.size()));
    auto id = id_of_file(inside);
    if (id && result.ids.size() < thread_list_limits::threads)
      result.ids.push_back(std::move(*id));
    else
      ++result.left_out;
    return true;
  };
  document_range names_only;
  names_only.without_bodies = true;
  if (auto err = in.find_documents(**key, std::string{collection::versions}, names_only, take))
    return err;
  return result;
}

void collect_threads(caf::event_based_actor* self, const scratchbook_actor& books, const caller& by,
  thread_names names, std::function<void(json::object)> then) {
  std::make_shared<thread_collection>(self, books, by, std::move(names), std::move(then))->next();
}

} // namespace scratchpage::server
