#include "scratchpage/runtime/cli/commands/scratch_threads.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <set>
#include <utility>

#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/persistence/files/data_directory.hpp"
#include "scratchpage/persistence/files/file_name.hpp"
#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/io/files.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"

namespace scratchpage {

namespace {

namespace fs = std::filesystem;

constexpr auto former_main_thread = "default"; // of the command line, before it was `main`
constexpr size_t most_asked = 20;              // threads, of a server
constexpr size_t most_listed = 1'000;
constexpr size_t most_turns = 1'000;
constexpr size_t most_named = 5; // in a sentence

thread_items count_items(const scratchbook& book) {
  thread_items result{book.thread_id, book.items.size(), 0};
  for (const auto& item : book.items)
    result.open += item.status != item_status::done && item.status != item_status::archived;
  return result;
}

/// The scratchbooks in the files of an agent. The host replaces each file as a whole, so they may
/// be read beside it.
caf::expected<std::vector<thread_items>> threads_in_directory(const agent_options& options) {
  auto with = load_config_file(options.config);
  if (!with)
    return with.error();
  auto data = existing_data(options.data);
  if (!data)
    return data.error();
  directory_files files{data_directory::files_in(*data) / file_name_for(options.agent)};
  auto paths = files.list();
  if (!paths)
    return paths.error();
  auto folder = fs::path{scratchbook_path(with->scratchbook, main_thread)}.parent_path();
  std::vector<thread_items> result;
  for (const auto& path : *paths) {
    if (fs::path{path}.parent_path() != folder || result.size() >= most_listed)
      continue;
    auto found = files.read(path, 0, uint64_t{2} * with->scratchbook.limits.max_bytes);
    if (!found || !*found)
      continue;
    auto book = from_stored_text((*found)->bytes, with->scratchbook.limits);
    if (book && !book->items.empty())
      result.push_back(count_items(*book));
  }
  return result;
}

caf::expected<std::unique_ptr<agent_client>> open_thread(
  const scratch_options& options, const std::string& thread_id) {
  return open_agent(options.agent, open_mode::existing, {as_user(login_name()), thread_id});
}

caf::expected<std::vector<thread_items>> threads_on_server(const scratch_options& options) {
  auto agent = open_thread(options, options.thread);
  if (!agent)
    return agent.error();
  std::vector<std::string> asked{options.thread, main_thread, former_main_thread};
  if (auto turns = latest_turns(**agent, most_turns))
    for (const auto& turn : turns->turns)
      asked.push_back(turn.thread_id);
  std::set<std::string> known;
  std::vector<thread_items> result;
  for (const auto& thread : asked) {
    if (known.size() >= most_asked || !known.insert(thread).second)
      continue;
    auto in = open_thread(options, thread);
    if (!in)
      return in.error();
    auto book = (*in)->call_for<scratchbook>("scratch_list", {});
    if (!book)
      return book.error();
    if (!book->items.empty())
      result.push_back(count_items(*book));
  }
  return result;
}

std::string in_words(const std::vector<thread_items>& threads) {
  std::string result;
  for (size_t i = 0; i < std::min(threads.size(), most_named); ++i)
    result.append(result.empty() ? "" : ", ")
      .append(threads[i].thread_id)
      .append(" (")
      .append(std::to_string(threads[i].items))
      .append(")");
  if (threads.size() > most_named)
    result += " and " + std::to_string(threads.size() - most_named)
              + " more, which `scratchpage scratch threads` lists";
  return result;
}

} // namespace

caf::expected<std::vector<thread_items>> threads_with_items(const scratch_options& options) {
  auto result =
    options.agent.server.empty() ? threads_in_directory(options.agent) : threads_on_server(options);
  if (result)
    std::sort(result->begin(), result->end(),
      [](const auto& a, const auto& b) { return a.thread_id < b.thread_id; });
  return result;
}

exit_code run_scratch_threads(
  const scratch_options& options, const command_environment& environment) {
  // Says what is wrong with the place or the agent, as the other commands do.
  if (!open_or_complain(
        options.agent, open_mode::existing, {as_user(login_name()), options.thread}, environment))
    return exit_code::bad_input;
  auto found = threads_with_items(options);
  if (!found)
    return complain(environment, found.error());
  if (options.agent.json) {
    for (const auto& x : *found)
      environment.out << to_safe_text(to_json(x)) << '\n';
    return finish(environment);
  }
  table rows{{{"ITEMS", true}, {"OPEN", true}, {"THREAD"}}};
  for (const auto& x : *found)
    rows.add({{std::to_string(x.items)}, {std::to_string(x.open)}, {x.thread_id, ink::accent}});
  if (!found->empty()) {
    rows.print(environment.out, environment.out_style);
    environment.out << '\n';
  }
  auto total = found->empty() ? "no thread has items; `scratchpage scratch add` adds one"
                              : count_of(found->size(), "thread");
  environment.out << paint(environment.out_style, ink::faint, total) << '\n';
  return finish(environment);
}

void tell_of_threads(const scratch_options& options, const command_environment& environment) {
  auto found = threads_with_items(options);
  if (!found)
    return;
  auto own = std::find_if(
    found->begin(), found->end(), [&](const auto& x) { return x.thread_id == options.thread; });
  auto has_items = own != found->end();
  auto sentence = "the scratchbook of thread '" + options.thread + "' ";
  if (has_items) {
    sentence += "has no open items; `scratchpage scratch list` lists the "
                + count_of(own->items, "item") + " that it has";
    found->erase(own);
  } else {
    sentence += "is empty";
  }
  if (!found->empty())
    sentence += "; threads with items: " + in_words(*found);
  else if (!has_items)
    sentence += "; `scratchpage scratch add` adds an item";
  environment.err << "scratchpage: " << escaped(sentence) << '\n';
}

} // namespace scratchpage
