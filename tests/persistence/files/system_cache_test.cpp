#include <boost/test/unit_test.hpp>

#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

namespace scratchpage::test {

BOOST_FIXTURE_TEST_CASE(a_file_seen_from_the_disk_is_what_was_written, temp_dir) {
  const std::string written(100'000, 'x');
  auto name = file("log", written);
  drop_page_cache(name);
  BOOST_TEST((read("log") == written));
}

BOOST_FIXTURE_TEST_CASE(a_file_that_is_not_there_need_not_be_seen, temp_dir) {
  BOOST_CHECK_NO_THROW(drop_page_cache(path() / "none"));
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_opened_cannot_be_seen, temp_dir) {
  BOOST_CHECK_THROW(drop_page_cache(path()), std::filesystem::filesystem_error);
}

} // namespace scratchpage::test
