#include "scratchpage/actors/policies/fact_wording.hpp"

#include <utility>

#include "scratchpage/actors/policies/english_wording.hpp"
#include "scratchpage/actors/policies/european_wording.hpp"
#include "scratchpage/actors/policies/unspaced_wording.hpp"
#include "scratchpage/actors/policies/wording_words.hpp"

namespace scratchpage {

namespace {

std::string trimmed_statement(std::string text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == ','))
    text.pop_back();
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

/// "Use tabs" goes on as "wants you to use tabs"; an abbreviation stays as it is.
void lower_first_letter(std::string& in, size_t at) {
  auto is_capital = [&](size_t i) { return i < in.size() && in[i] >= 'A' && in[i] <= 'Z'; };
  if (is_capital(at) && !is_capital(at + 1))
    in[at] = static_cast<char>(in[at] - 'A' + 'a');
}

/// What goes wrong where one word takes the place of another: "they was", "ne est".
std::string in_good_form(std::string statement, spoken_language in) {
  if (in == spoken_language::english) {
    policies::replace_all(statement, "they was ", "they were ");
    policies::replace_all(statement, "they am ", "they are ");
    constexpr std::string_view wants = "wants you to ";
    if (auto at = statement.find(wants); at != std::string::npos)
      lower_first_letter(statement, at + wants.size());
  }
  if (in == spoken_language::french)
    for (std::string_view vowel : {"a", "e", "i", "o", "u", "é", "è", "ê", "y", "hab"})
      policies::replace_all(statement, " ne " + std::string{vowel}, " n'" + std::string{vowel});
  return statement;
}

retold retell_as(std::string_view clause, std::string_view said_before, spoken_language in) {
  switch (in) {
  case spoken_language::english:
    return english(clause, said_before);
  case spoken_language::german:
    return german(clause, said_before);
  case spoken_language::spanish:
    return spanish(clause, said_before);
  case spoken_language::french:
    return french(clause, said_before);
  case spoken_language::chinese:
    return chinese(clause);
  case spoken_language::japanese:
    return japanese(clause);
  }
  return {};
}

} // namespace

retold retell(std::string_view clause, std::string_view said_before, spoken_language in) {
  auto result = retell_as(clause, said_before, in);
  result.statement = trimmed_statement(in_good_form(std::move(result.statement), in));
  return result;
}

} // namespace scratchpage
