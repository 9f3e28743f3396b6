#define BOOST_TEST_MODULE fuzz_corpora
#include <boost/test/unit_test.hpp>

#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include "scratchpage/tests/fuzz/targets.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"
#include "scratchpage/tests/support/source_dir.hpp"

/// Reads the inputs with which fuzzing begins, and those that it has found.

namespace scratchpage::fuzz {

std::ostream& operator<<(std::ostream& out, const target& x) {
  return out << x.name;
}

} // namespace scratchpage::fuzz

namespace scratchpage::test {

namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// The text of the exception that the target throws; "" if it throws none.
std::string harm(const fuzz::target& target, const std::string& bytes) {
  try {
    target.run(bytes);
    return {};
  } catch (const std::exception& e) {
    return e.what();
  }
}

} // namespace

BOOST_DATA_TEST_CASE(every_input_is_read_without_harm, fuzz::all_targets, target) {
  size_t inputs = 0;
  for (const auto& entry :
    fs::directory_iterator{fs::path{source_file("tests/fuzz/corpus")} / target.name}) {
    BOOST_TEST_CONTEXT(entry.path().filename().string())
    BOOST_TEST(harm(target, bytes_of(entry.path())) == "");
    ++inputs;
  }
  BOOST_TEST(inputs > 0u);
}

BOOST_DATA_TEST_CASE(nothing_at_all_is_an_input_too, fuzz::all_targets, target) {
  BOOST_TEST(harm(target, "") == "");
}

} // namespace scratchpage::test
