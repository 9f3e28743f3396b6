#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/persistence/files/data_directory.hpp"
#include "scratchpage/persistence/files/file_name.hpp"
#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/postgres_connection.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/stored_files/file_versions.hpp"
#include "scratchpage/persistence/stored_files/stored_file.hpp"
#include "scratchpage/persistence/transfer/database_files.hpp"
#include "scratchpage/persistence/transfer/export_lines.hpp"
#include "scratchpage/persistence/transfer/salvage.hpp"
#include "scratchpage/runtime/host/storage.hpp"
#include "scratchpage/tests/persistence/transfer/export_text.hpp"
#include "scratchpage/tests/persistence/transfer/random_history.hpp"
#include "scratchpage/tests/support/memory_store.hpp"
#include "scratchpage/tests/support/private_postgres.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// The files of an agent in exports, imports, checkpoints and repairs.

namespace scratchpage::test {

namespace {

namespace fs = std::filesystem;

constexpr auto book_path = "scratchbook/trip.json";
constexpr auto history_path = "conversation_history/trip.md";

/// A scratchbook whose times look like valid card numbers.
const std::string a_book =
  R"({"items":[{"body":"Card 4111 1111 1111 1111","created_at_ns":4111111111111111,"id":"s1",)"
  R"("kind":"todo","status":"open","tags":["a@b.org","c@d.org"],"title":"Write to ada@example.org",)"
  R"("updated_at_ns":4111111111111111}],"pins":["s1"],"thread_id":"ada@example.org"})"
  "\n";

/// A data directory with an agent and its files.
struct kept_files : temp_dir {
  fs::path home = path() / "home";
  fs::path other = path() / "other";

  kept_files() {
    fs::create_directory(home);
    random_history{*in(home), "ada"}.play({{0, 0, 0}, {10, 1, 1}, {11, 2, 2}});
  }

  static sql::connector at(const fs::path& directory) {
    return sql::sqlite(data_directory::database_in(directory));
  }

  static std::unique_ptr<sql_store> in(const fs::path& directory) { return open(at(directory)); }

  static directory_files files_in(const fs::path& directory, const std::string& agent_id = "ada") {
    return directory_files{data_directory::files_in(directory) / file_name_for(agent_id)};
  }

  void write(const std::string& name, std::string_view bytes) const {
    BOOST_REQUIRE(!files_in(home).write(name, bytes));
  }

  static std::string text_in(file_store&& from, std::string_view name) {
    return text_in(from, name);
  }

  static std::string text_in(file_store& from, std::string_view name) {
    auto found = from.read(name, 0, UINT64_MAX);
    BOOST_REQUIRE_MESSAGE(found, (found ? "" : describe(found.error())));
    return *found ? (*found)->bytes : "none";
  }

  /// Writes a file without syncing it.
  static void put_down(const fs::path& file, std::string_view bytes) {
    fs::create_directories(file.parent_path());
    std::ofstream{file, std::ios::binary} << bytes;
  }

  static std::string text_in(const fs::path& directory, std::string_view name) {
    return text_in(files_in(directory), name);
  }

  static std::string out_of(const fs::path& directory, const pii_masker* masker = nullptr) {
    return exported(*in(directory), masker, data_directory::files_in(directory));
  }

  /// Imports into a new directory. Returns "none" or the error.
  static std::string take_in(const std::string& text, const fs::path& directory) {
    auto made = new_database::open(directory);
    BOOST_REQUIRE_MESSAGE(made, (made ? "" : describe(made.error())));
    auto answer = imported(text, sql::sqlite(made->file()));
    if (answer == "none")
      BOOST_REQUIRE(!made->keep());
    return answer;
  }

  void checkpoint(const fs::path& to) const {
    auto directory = data_directory::open(home);
    BOOST_REQUIRE(directory);
    auto err = write_checkpoint(*directory, to);
    BOOST_REQUIRE_MESSAGE(!err, (err ? describe(err) : ""));
  }

  static std::vector<std::string> file_lines(const std::string& text) {
    auto lines = lines_in(text);
    std::erase_if(lines, [](const auto& x) { return !x.starts_with(R"({"line":"file")"); });
    return lines;
  }
};

/// Random contents of files: texts, long texts, invalid UTF-8, nothing.
rc::Gen<std::string> some_bytes() {
  return rc::gen::map(
    rc::gen::tuple(rc::gen::inRange(0, 7), rc::gen::inRange(0, 5)), [](const auto& x) {
      const std::vector<std::string> words{"", "plain ", "\u00fcber ", "mail ada@example.org ",
        std::string{"\xff\xfe\0 ", 4}, "\u4e2d\u6587", "line\r\n\"q\"\\ "};
      constexpr std::array times{0, 1, 7, 40'000, 90'000};
      std::string result;
      for (int i = 0; i < times[static_cast<size_t>(std::get<1>(x))]; ++i)
        result += words[static_cast<size_t>(std::get<0>(x))];
      return result;
    });
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(travelling_files, kept_files)

BOOST_AUTO_TEST_CASE(go_out_and_in_and_out_again_with_the_same_bytes) {
  pii_masker masker;
  BOOST_TEST(rc::check("from a folder into a store, masked and not", [&] {
    auto folder = path() / "some";
    memory_store from;
    random_history{from, "ada"}.play({{0, 0, 0}});
    auto paths =
      *rc::gen::container<std::set<std::string>>(rc::gen::elementOf(std::vector<std::string>{
        book_path, history_path, "tool_results/a/b.txt", "tool_results/a-b/c.txt", "x"}));
    for (const auto& name : paths)
      put_down(folder / "ada" / name, *some_bytes());
    const auto* with = *rc::gen::arbitrary<bool>() ? &masker : nullptr;
    auto text = exported(from, with, folder);
    auto to = std::make_shared<memory_store>();
    RC_ASSERT(import_lines(lines_in(text), *to) == "none");
    RC_ASSERT(exported(*to, with) == text);
    auto there = document_files{to, *to->claim("ada")};
    directory_files here{folder / "ada"};
    RC_ASSERT(here.list()->size() == paths.size());
    for (const auto& name : paths)
      RC_ASSERT(with != nullptr || text_in(there, name) == text_in(here, name));
    fs::remove_all(folder);
  }));
}

BOOST_AUTO_TEST_CASE(go_to_a_server_and_back) {
  write(book_path, a_book);
  write(history_path, std::string(max_part_bytes + 5, 'h'));
  write("tool_results/trip/torn.txt", "half a character \xc3");
  auto text = out_of(home);
  auto server = sql::postgres(private_postgres::shared().new_schema());
  BOOST_TEST(imported(text, server) == "none");
  std::shared_ptr<store> kept = open(server);
  BOOST_TEST((exported(*kept) == text));
  document_files there{kept, *kept->claim("ada")};
  BOOST_TEST(text_in(there, book_path) == a_book);
  BOOST_TEST(take_in(exported(*kept), other) == "none");
  BOOST_TEST(text_in(other, book_path) == a_book);
  BOOST_TEST(text_in(other, "tool_results/trip/torn.txt") == "half a character \xc3");
  BOOST_TEST((out_of(other) == text));
}

BOOST_AUTO_TEST_CASE(that_a_server_has_come_out_of_it) {
  std::shared_ptr<store> kept = open(sql::postgres(private_postgres::shared().new_schema()));
  random_history{*kept, "ada"}.play({{0, 0, 0}});
  document_files there{kept, *kept->claim("ada")};
  BOOST_REQUIRE(!there.write(book_path, a_book));
  BOOST_REQUIRE(!there.append(history_path, "\xff"));
  BOOST_REQUIRE(!there.append(history_path, "\xfe."));
  BOOST_TEST(take_in(exported(*kept), other) == "none");
  BOOST_TEST(text_in(other, book_path) == a_book);
  BOOST_TEST(text_in(other, history_path) == "\xff\xfe.");
}

BOOST_AUTO_TEST_CASE(have_lines_that_are_bounded_and_cut_between_characters) {
  std::string text = "x"; // so that no character ends at the end of a part
  for (size_t i = 0; i < max_part_bytes; ++i)
    text += "\u00fc";
  write(history_path, text);
  auto lines = file_lines(out_of(home));
  BOOST_TEST(lines.size() == 3u);
  std::string whole;
  for (const auto& line : lines) {
    auto part = from_json_text<file_line>(line);
    BOOST_REQUIRE(part);
    BOOST_TEST(part->size == text.size());
    BOOST_TEST(part->offset == whole.size());
    BOOST_REQUIRE(part->text);
    BOOST_TEST(part->text->size() <= max_part_bytes);
    whole += *part->text;
  }
  BOOST_TEST((whole == text));
}

BOOST_AUTO_TEST_CASE(are_masked_whole_and_a_scratchbook_stays_one) {
  pii_masker masker;
  write(book_path, a_book);
  std::string long_text(max_part_bytes - 3, ' '); // an address crosses the border of two parts
  write(history_path, long_text + "ada@example.org");
  write("tool_results/trip/torn.txt", "\xff ada@example.org \xff");
  auto text = out_of(home, &masker);
  for (const auto& line : file_lines(text))
    if (line.find("\"thread_id\\\"") == std::string::npos)
      BOOST_TEST(line.find("@example") == std::string::npos, line.substr(0, 100));
  BOOST_TEST(take_in(text, other) == "none");
  auto value = parse_json(text_in(other, book_path));
  BOOST_REQUIRE_MESSAGE(value, text_in(other, book_path));
  BOOST_TEST(value->as_object().contains("checksum"));
  BOOST_REQUIRE(!take_checksum(value->as_object())); // the checksum of the masked text
  auto book = from_json<scratchbook>(*value);
  BOOST_REQUIRE(book);
  auto wanted = *from_json_text<scratchbook>(a_book);
  wanted.items[0].title = "Write to [email]";
  wanted.items[0].body = "Card [card]";
  wanted.items[0].tags = {"[email]"};
  BOOST_TEST((*book == wanted)); // thread and times are unchanged
  BOOST_TEST((text_in(other, history_path) == long_text + "[email]"));
  BOOST_TEST(text_in(other, "tool_results/trip/torn.txt") == "\xff [email] \xff");
}

BOOST_AUTO_TEST_CASE(of_agents_that_do_not_go_stay) {
  random_history{*in(home), "bob"}.play({{0, 0, 0}});
  BOOST_REQUIRE(!files_in(home, "bob").write(book_path, "bob's"));
  write(book_path, "ada's");
  fs::create_directory(path() / "elsewhere");
  random_history{*in(path() / "elsewhere"), "ada"}.play({{0, 0, 0}});
  auto text = exported(*in(path() / "elsewhere"), nullptr, data_directory::files_in(home));
  BOOST_TEST(text.find("ada's") != std::string::npos);
  BOOST_TEST(text.find("bob's") == std::string::npos);
  BOOST_TEST(out_of(home).find("bob's") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(are_those_that_an_agent_could_have_written) {
  write(book_path, "mine");
  auto folder = data_directory::files_in(home) / "ada" / "scratchbook";
  auto elsewhere = file("secret", "secret");
  fs::create_symlink(elsewhere, folder / "link.json");
  fs::create_directory_symlink(path(), folder / "folder");
  std::ofstream{folder / ".trip.json.new"} << "half";
  std::ofstream{folder / "a b"} << "no name of ours";
  BOOST_TEST(*files_in(home).list() == std::vector<std::string>{book_path});
}

BOOST_AUTO_TEST_CASE(of_old_exports_are_none_or_documents) {
  const std::string begin = R"({"line":"header","format":"scratchpage export","version":1,)"
                            R"("masked":false})"
                            "\n"
                            R"({"line":"agent","agent_id":"ada"})"
                            "\n";
  auto with_end = [](const std::string& lines, const std::string& documents) {
    return lines + R"({"line":"end","agents":1,"observations":0,"events":0,"archived":0,)"
           + R"("documents":)" + documents + R"(,"checksum":")" + to_hex(checksum_of(lines))
           + "\"}\n";
  };
  BOOST_TEST(take_in(with_end(begin, "0"), path() / "none") == "none");
  BOOST_TEST(!fs::exists(data_directory::files_in(path() / "none")));
  auto document = R"({"line":"document","collection":"files","key":"scratchbook/trip.json",)"
                  R"("body":{"path":"scratchbook/trip.json","text":"{}"}})"
                  "\n";
  BOOST_TEST(take_in(with_end(begin + document, "1"), other) == "none");
  BOOST_TEST(text_in(other, book_path) == "{}");
  auto server = std::make_shared<memory_store>();
  BOOST_TEST(import_lines(lines_in(with_end(begin + document, "1")), *server) == "none");
  BOOST_TEST(text_in(document_files{server, *server->claim("ada")}, book_path) == "{}");
  for (const auto& [from, to, expected] :
    std::vector<std::array<std::string, 3>>{
      {"\"path\":\"scratch", "\"path\":\"x", "key: expected xbook/trip.json, as the body has it"},
      {"\"text\":\"{}\"", "\"text\":7", "body.text: expected a text"},
      {",\"text\":\"{}\"", "", "body.text: expected either text or base64"}}) {
    memory_store into;
    auto answer = import_lines(lines_in(with_end(begin + replaced(document, from, to), "1")), into);
    BOOST_TEST(answer == "3: invalid_request: " + expected, answer);
  }
}

BOOST_AUTO_TEST_CASE(that_are_wrong_are_refused_with_the_line_and_the_field) {
  write(book_path, a_book);
  write(history_path, std::string(max_part_bytes + 5, 'h'));
  auto text = out_of(home);
  auto first = first_line_of(text, "file"); // lines: two parts of the history, then the book
  const std::vector<std::array<std::string, 4>> all{
    {"0", "conversation_history/trip.md", "../trip.md", "path: expected a path such as"},
    {"0", "conversation_history/trip.md", "/etc/passwd", "path: expected a path such as"},
    {"0", "conversation_history/trip.md", "a/../../b", "path: expected a path such as"},
    {"0", "conversation_history/trip.md", ".ssh/keys", "path: expected a path such as"},
    {"0", "conversation_history/trip.md", std::string(251, 'a'), "path: expected a path such as"},
    {"0", "\"offset\":0", "\"offset\":1", "offset: expected 0, where the part before ends"},
    {"0", "\"size\":262149", "\"size\":99999999999", "size: expected at most"},
    {"0", "\"size\":262149", "\"size\":7", "text: expected 1 to 7 bytes, the rest of the file"},
    {"0", "\"text\":", "\"base64\":\"\",\"text\":", "text: expected either text or base64"},
    {"0", "\"text\":", "\"txt\":", "txt: unknown field"},
    {"0", "\"text\":\"h", "\"base64\":\"!", "base64: expected base64 (RFC 4648)"},
    {"1", "conversation_history/trip.md", "a", "path: expected 'conversation_history/trip.md'"},
    {"1", "\"size\":262149", "\"size\":262150", "size: expected 262149, as its other parts"},
    {"1", "\"offset\":262144", "\"offset\":0", "offset: expected 262144, where the part before"},
    {"1", "\"text\":\"hhhhh\"", "\"text\":\"\"", "text: expected 1 to 5 bytes"},
    {"1", "\"text\":\"hhhhh\"", "\"text\":\"hhhhhh\"", "text: expected 1 to 5 bytes"},
    {"1", "\"line\":\"file\"", "\"line\":\"end\"", "line: expected the rest of the file 'conv"},
    {"2", "\"scratchbook/trip.json\"", "\"a\"", "path: expected paths in the order of their bytes"},
    {"2", "\"scratchbook/trip.json\"", "\"conversation_history/trip.md/x\"",
      "path: expected a folder, but there is a file conversation_history/trip.md"},
  };
  for (const auto& [at, from, to, expected] : all) {
    auto number = first + std::stoul(at);
    auto lines = with_line(text, number, replaced(lines_in(text)[number - 1], from, to));
    memory_store into;
    auto answer = import_lines(lines, into);
    BOOST_TEST(answer.starts_with(std::to_string(number) + ": invalid_request: "), answer);
    BOOST_TEST(answer.find(expected) != std::string::npos, answer << " instead of " << expected);
  }
  auto fewer = lines_in(text);
  fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(first) + 1); // removes the book
  memory_store into;
  auto answer = import_lines(fewer, into);
  BOOST_TEST(answer.find("files: expected 1, the number before") != std::string::npos, answer);
}

BOOST_AUTO_TEST_CASE(that_are_there_are_not_imported_over) {
  write(book_path, "ada's");
  auto text = out_of(home);
  memory_store into;
  auto answer = import_lines(lines_in(text), into, data_directory::files_in(home));
  BOOST_TEST(
    answer.starts_with("2: conflict: agent_id: expected an agent that has no files yet"), answer);
  fs::create_directories(data_directory::files_in(other) / "ada");
  auto made = new_database::open(other);
  BOOST_REQUIRE(!made);
  BOOST_TEST(describe(made.error()).find("--data: expected a directory without files of agents")
             != std::string::npos);
}

BOOST_AUTO_TEST_CASE(are_in_a_checkpoint_and_come_back_from_it) {
  write(book_path, a_book);
  write(history_path, "\xff");
  auto copy = path() / "pages.db";
  checkpoint(copy);
  BOOST_TEST(!fs::exists(copy.string() + "-wal"));
  BOOST_TEST(!fs::exists(copy.string() + "-shm"));
  constexpr size_t place_of_mode = 18; // 1: the file needs no log, so it can be read-only
  BOOST_TEST(read("pages.db").at(place_of_mode) == 1);
  write(book_path, "later");
  {
    auto made = new_database::open(other);
    BOOST_REQUIRE(made);
    BOOST_REQUIRE(!copy_database(copy, made->file()));
    BOOST_REQUIRE(!verify_database(made->file()));
    BOOST_REQUIRE(!made->keep());
  }
  BOOST_TEST(text_in(other, book_path) == a_book);
  BOOST_TEST(text_in(other, history_path) == "\xff");
  write(book_path, a_book);
  BOOST_TEST((out_of(other) == out_of(home)));
}

BOOST_AUTO_TEST_CASE(that_are_damaged_in_a_checkpoint_are_found) {
  write(book_path, a_book);
  auto copy = path() / "pages.db";
  checkpoint(copy);
  auto kept = open(sql::sqlite(copy));
  auto ada = *kept->claim("ada");
  auto wrong = make_document("files", "../trip.json", R"({"path":"../trip.json","text":""})");
  BOOST_REQUIRE(!kept->put(ada, {&wrong, 1}));
  kept.reset();
  auto err = verify_database(copy);
  BOOST_TEST(describe(err).find("files/../trip.json is damaged") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(are_read_whole_while_somebody_writes_them) {
  const std::string one(300'000, '1'), two(200'000, '2');
  write(book_path, one);
  std::atomic<bool> is_over = false;
  std::thread writer{[&] {
    auto to = files_in(home);
    for (auto i = 0; !is_over; ++i)
      std::ignore = to.write(book_path, i % 2 == 0 ? two : one);
  }};
  for (auto i = 0; i < 50; ++i) {
    memory_store into;
    std::ignore = into.claim("ada");
    auto count = pack_files(data_directory::files_in(home), into);
    BOOST_REQUIRE(count);
    BOOST_TEST(*count == 1u);
    auto err = into.read_documents(**into.find_agent("ada"), "files", [&](document&& x) {
      auto bytes = bytes_of_file(x);
      BOOST_TEST((bytes && (*bytes == one || *bytes == two)));
      return true;
    });
    BOOST_TEST(!err);
  }
  is_over = true;
  writer.join();
}

BOOST_AUTO_TEST_CASE(whose_way_was_cut_short_arrive_when_the_directory_is_opened) {
  {
    auto kept = in(home);
    auto row = to_file_document(book_path, a_book);
    BOOST_REQUIRE(!kept->put(*kept->claim("ada"), {&*row, 1}));
  }
  auto opened = storage::open(home.string());
  BOOST_REQUIRE(opened);
  BOOST_TEST(text_in(home, book_path) == a_book);
  auto ada = opened->store->find_agent("ada");
  auto names = opened->store->collections(**ada);
  for (const auto& name : *names)
    BOOST_TEST(name != "files");
}

BOOST_AUTO_TEST_CASE(that_cannot_be_written_stay_in_the_store) {
  {
    auto kept = in(home);
    auto row = to_file_document(book_path, a_book);
    BOOST_REQUIRE(!kept->put(*kept->claim("ada"), {&*row, 1}));
  }
  std::ofstream{data_directory::files_in(home)} << "no folder";
  auto opened = storage::open(home.string());
  BOOST_REQUIRE(!opened);
  BOOST_TEST(name_of(code_of(opened.error())) == "storage_unavailable");
  fs::remove(data_directory::files_in(home));
  BOOST_REQUIRE(storage::open(home.string()));
  BOOST_TEST(text_in(home, book_path) == a_book);
}

BOOST_AUTO_TEST_CASE(of_a_damaged_directory_are_saved) {
  write(book_path, a_book);
  write(history_path, "not checked \xff");
  BOOST_REQUIRE(!files_in(home, "nobody").write(book_path, "whose?"));
  auto report = repair(home, other);
  BOOST_REQUIRE(report);
  BOOST_TEST(report->files == 2u);
  BOOST_REQUIRE(report->lost.size() == 1u);
  BOOST_TEST(report->lost[0].what == "file");
  BOOST_TEST(report->lost[0].which == "nobody/");
  BOOST_TEST(text_in(other, book_path) == a_book);
  BOOST_TEST(text_in(other, history_path) == "not checked \xff");
  BOOST_TEST(text_in(home, book_path) == a_book);
}

BOOST_AUTO_TEST_CASE(that_cannot_be_read_are_told_and_the_others_saved) {
  random_history{*in(home), "bob"}.play({{0, 0, 0}});
  BOOST_REQUIRE(!files_in(home, "bob").write(book_path, "bob's"));
  std::ofstream{data_directory::files_in(home) / "ada"} << "no folder";
  auto report = repair(home, other);
  BOOST_REQUIRE(report);
  BOOST_REQUIRE(report->lost.size() == 1u);
  BOOST_TEST(report->lost[0].agent_id == "ada");
  BOOST_TEST(report->lost[0].which == "all");
  BOOST_TEST(text_in(files_in(other, "bob"), book_path) == "bob's");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
