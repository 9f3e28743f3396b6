#include "scratchpage/tests/persistence/transfer/export_text.hpp"

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/store/store_transaction.hpp"
#include "scratchpage/persistence/transfer/export.hpp"
#include "scratchpage/persistence/transfer/import.hpp"

namespace scratchpage::test {

std::unique_ptr<sql_store> open(const sql::connector& connect) {
  auto opened = sql_store::open(connect);
  BOOST_REQUIRE(opened);
  return std::move(*opened);
}

std::string exported(store& from, const pii_masker* masker, const std::filesystem::path& files) {
  std::string text;
  exporter lines{[&](std::string_view line) {
                   text += line;
                   return caf::error{};
                 },
    masker, files};
  auto agents = from.agents();
  BOOST_REQUIRE(agents);
  for (const auto& agent_id : *agents) {
    auto err = lines.add(from, agent_id);
    BOOST_REQUIRE_MESSAGE(!err, (err ? describe(err) : ""));
  }
  BOOST_REQUIRE(!lines.finish());
  return text;
}

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> result;
  for (size_t i = 0; i < text.size();) {
    auto end = text.find('\n', i);
    result.push_back(text.substr(i, end - i));
    i = end + 1;
  }
  return result;
}

std::string import_lines(
  const std::vector<std::string>& lines, store& to, const std::filesystem::path& files) {
  importer in{to, files};
  size_t number = 0;
  for (const auto& line : lines) {
    ++number;
    if (auto err = in.take(line))
      return std::to_string(number) + ": " + describe(err);
  }
  auto err = in.finish();
  return err ? describe(err) : "none";
}

std::string imported(const std::string& text, const sql::connector& to) {
  auto transaction = store_transaction::begin(to);
  BOOST_REQUIRE(transaction);
  auto answer = import_lines(lines_in(text), (*transaction)->in());
  if (answer == "none")
    BOOST_REQUIRE(!(*transaction)->commit());
  return answer;
}

std::vector<std::string> with_line(const std::string& text, size_t number, std::string line) {
  auto lines = lines_in(text);
  lines.at(number - 1) = std::move(line);
  return lines;
}

size_t first_line_of(const std::string& text, const std::string& kind) {
  auto lines = lines_in(text);
  for (size_t i = 0; i < lines.size(); ++i)
    if (lines[i].starts_with("{\"line\":\"" + kind + "\""))
      return i + 1;
  BOOST_FAIL("no line of " + kind);
  return 0;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  auto at = text.find(from);
  BOOST_REQUIRE_MESSAGE(at != std::string::npos, text);
  return text.replace(at, from.size(), to);
}

} // namespace scratchpage::test
