#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/tests/persistence/memories/samples.hpp"
#include "scratchpage/tests/support/trace_file.hpp"

namespace scratchpage {

using test::at;

namespace {

namespace fs = std::filesystem;

/// Limits files to 100 000 bytes, which simulates a full disk.
struct full_disk {
  rlimit before{};

  full_disk() {
    std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit few{100'000, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &few);
  }
  full_disk(const full_disk&) = delete;
  full_disk& operator=(const full_disk&) = delete;
  ~full_disk() { ::setrlimit(RLIMIT_FSIZE, &before); }
};

/// A temporary directory, which the destructor removes.
struct scratch_folder {
  scratch_folder()
    : path{fs::temp_directory_path() / ("scratchpage_trace_" + std::to_string(::getpid()))} {
    fs::create_directories(path);
  }
  ~scratch_folder() { fs::remove_all(path); }

  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& x : fs::directory_iterator{path})
      result.push_back(x.path().filename().string());
    return result;
  }

  std::string read(const char* name) const {
    std::ifstream in{path / name};
    return {std::istreambuf_iterator<char>{in}, {}};
  }

  fs::path path;
};

/// Limits files to 64 KiB, which simulates a full disk.
class small_files {
public:
  small_files()
    : handler_{std::signal(SIGXFSZ, SIG_IGN)} {
    BOOST_REQUIRE(::getrlimit(RLIMIT_FSIZE, &before_) == 0);
    rlimit limit{65'536, before_.rlim_max};
    BOOST_REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
  }
  small_files(const small_files&) = delete;
  small_files& operator=(const small_files&) = delete;
  ~small_files() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

private:
  void (*handler_)(int);
  rlimit before_{};
};

trace_entry entry(span_id id, std::string operation) {
  trace_entry result;
  result.id = id;
  result.at = at(0);
  result.component = "router";
  result.operation = std::move(operation);
  result.status = "success";
  return result;
}

std::shared_ptr<trace_file> create(const fs::path& path) {
  auto file = trace_file::create(path);
  BOOST_REQUIRE_MESSAGE(file, describe(file ? caf::error{} : file.error()));
  return *file;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(a_trace_file, scratch_folder)

BOOST_AUTO_TEST_CASE(holds_an_entry_a_line) {
  auto file = create(path / "trace.jsonl");
  auto first = entry(1, "read\nwrite");
  first.detail["confidence"] = 0.99;
  file->write(first);
  file->write(entry(2, "decide"));
  BOOST_TEST(!file->commit());
  BOOST_TEST(file->size() == 2u);
  BOOST_TEST(read("trace.jsonl")
             == to_text(to_json(first)) + "\n" + to_text(to_json(entry(2, "decide"))) + "\n");
}

BOOST_AUTO_TEST_CASE(is_read_back_as_it_was_written) {
  auto file = create(path / "trace.jsonl");
  auto first = entry(uint64_t{7} << 32 | 1, "a \"b\" \u2028 ü");
  first.parent = 3;
  first.duration_ms = 1.25;
  first.detail = json::parse(R"({"a":{"b":[1,2.5,null]},"n":-1})").get_object();
  file->write(first);
  BOOST_TEST(!file->commit());
  auto back = read_trace_file(path / "trace.jsonl");
  BOOST_REQUIRE(back);
  BOOST_REQUIRE(back->size() == 1u);
  BOOST_TEST(to_text(to_json(back->front())) == to_text(to_json(first)));
}

BOOST_AUTO_TEST_CASE(is_not_there_before_it_is_committed) {
  auto file = create(path / "trace.jsonl");
  file->write(entry(1, "x"));
  BOOST_TEST(!fs::exists(path / "trace.jsonl"));
  file.reset();
  BOOST_TEST(names().empty());
}

BOOST_AUTO_TEST_CASE(leaves_an_older_trace_alone_until_then) {
  std::ofstream{path / "trace.jsonl"} << "older";
  create(path / "trace.jsonl")->write(entry(1, "x"));
  BOOST_TEST(read("trace.jsonl") == "older");
  auto file = create(path / "trace.jsonl");
  BOOST_TEST(!file->commit());
  BOOST_TEST(read("trace.jsonl") == "");
  BOOST_TEST(names().size() == 1u);
}

BOOST_AUTO_TEST_CASE(takes_nothing_after_its_commit) {
  auto file = create(path / "trace.jsonl");
  BOOST_TEST(!file->commit());
  file->write(entry(1, "x"));
  BOOST_TEST(!file->commit());
  BOOST_TEST(file->size() == 0u);
  BOOST_TEST(read("trace.jsonl") == "");
}

BOOST_AUTO_TEST_CASE(in_a_folder_that_is_not_there_is_an_error_that_names_it) {
  auto file = trace_file::create(path / "no" / "trace.jsonl");
  BOOST_REQUIRE(!file);
  BOOST_TEST(to_string(code_of(file.error())) == "storage_unavailable");
  BOOST_TEST(field_of(file.error()) == (path / "no" / "trace.jsonl").string());
}

BOOST_AUTO_TEST_CASE(that_cannot_be_put_in_place_says_so_and_leaves_nothing) {
  fs::create_directories(path / "trace.jsonl" / "taken");
  auto file = create(path / "trace.jsonl");
  file->write(entry(1, "x"));
  auto err = file->commit();
  BOOST_TEST(to_string(code_of(err)) == "storage_unavailable");
  BOOST_TEST(describe(file->commit()) == describe(err));
  BOOST_TEST(names().size() == 1u);
}

BOOST_AUTO_TEST_CASE(on_a_full_disk_says_so) {
  small_files only;
  auto file = create(path / "trace.jsonl");
  file->write(entry(1, std::string(200'000, 'x'))); // more than the file's buffer
  file->write(entry(2, "y"));
  auto err = file->commit();
  BOOST_TEST(to_string(code_of(err)) == "storage_unavailable");
  BOOST_TEST(names().empty());
}

BOOST_AUTO_TEST_CASE(is_its_users_alone_and_follows_no_link) {
  auto precious = path / "precious";
  std::ofstream{precious} << "text";
  fs::create_symlink(precious, path / ("trace.jsonl." + std::to_string(::getpid()) + ".partial"));
  auto before = ::umask(0);
  auto file = create(path / "trace.jsonl");
  file->write(entry(1, "x"));
  BOOST_TEST(!file->commit());
  ::umask(before);
  BOOST_TEST((fs::status(path / "trace.jsonl").permissions()
              == (fs::perms::owner_read | fs::perms::owner_write)));
  BOOST_TEST(fs::file_size(precious) == 4u);
}

BOOST_AUTO_TEST_CASE(keeps_lines_whole_when_many_write) {
  auto file = create(path / "trace.jsonl");
  std::vector<std::jthread> writers;
  for (span_id i = 0; i < 4; ++i)
    writers.emplace_back([file, i] {
      for (span_id n = 1; n <= 250; ++n)
        file->write(entry(i << 32 | n, std::string(100, 'x')));
    });
  writers.clear();
  BOOST_TEST(!file->commit());
  auto back = read_trace_file(path / "trace.jsonl");
  BOOST_REQUIRE(back);
  BOOST_TEST(back->size() == 1000u);
}

BOOST_AUTO_TEST_CASE(that_is_malformed_is_refused_with_the_line_and_the_field) {
  auto good = to_text(to_json(entry(1, "x"))) + "\n";
  auto bad = read_trace(good + R"({"id":2,"timestamp":"never"})" + "\n");
  BOOST_REQUIRE(!bad);
  BOOST_TEST(field_of(bad.error()) == "line 2");
  BOOST_TEST(describe(bad.error()).find("timestamp: expected a date") != std::string::npos);
  BOOST_TEST(!read_trace(good + "\n" + good)); // an empty line is no entry
  BOOST_TEST(!read_trace(good.substr(0, good.size() / 2)));
  auto whole = read_trace(good + good.substr(0, good.size() - 1));
  BOOST_REQUIRE(whole); // the last line needs no line end
  BOOST_TEST(whole->size() == 2u);
}

BOOST_AUTO_TEST_CASE(that_is_not_there_cannot_be_read) {
  for (const auto& missing : {path / "none.jsonl", path}) {
    auto read = read_trace_file(missing);
    BOOST_REQUIRE(!read);
    BOOST_TEST(to_string(code_of(read.error())) == "not_found");
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
