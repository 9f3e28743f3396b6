#include <filesystem>

#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/data_directory.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

namespace scratchpage::test {

BOOST_AUTO_TEST_SUITE(directories)

BOOST_FIXTURE_TEST_CASE(one_process_at_a_time_uses_a_data_directory, temp_dir) {
  auto where = path() / "deep" / "data";
  auto first = data_directory::open(where);
  BOOST_REQUIRE(first);
  auto second = data_directory::open(where);
  BOOST_REQUIRE(!second);
  BOOST_TEST(describe(second.error())
             == "storage_unavailable: the data directory " + where.string()
                  + " cannot be used: process " + std::to_string(::getpid()) + " uses it");
}

BOOST_FIXTURE_TEST_CASE(it_is_free_again_when_its_user_is_done, temp_dir) {
  for (int i = 0; i < 2; ++i)
    BOOST_TEST(static_cast<bool>(data_directory::open(path() / "data")));
}

BOOST_FIXTURE_TEST_CASE(a_new_directory_is_its_owners_alone, temp_dir) {
  auto where = path() / "data";
  BOOST_REQUIRE(data_directory::open(where));
  using std::filesystem::perms;
  BOOST_CHECK(std::filesystem::status(where).permissions() == perms::owner_all);
}

BOOST_FIXTURE_TEST_CASE(a_file_is_no_directory, temp_dir) {
  auto name = file("taken", "text");
  auto opened = data_directory::open(name);
  BOOST_REQUIRE(!opened);
  BOOST_TEST(describe(opened.error()).find("cannot be used") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
