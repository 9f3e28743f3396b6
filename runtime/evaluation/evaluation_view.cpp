#include "scratchpage/runtime/evaluation/evaluation_view.hpp"

#include <cstdio>
#include <map>
#include <utility>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/runtime/simulation/report.hpp"

namespace scratchpage {

namespace {

json::value number(std::optional<double> x) {
  return x ? json::value(*x) : json::value(nullptr);
}

json::object counts_of(const tally& x) {
  return {{"precision", number(x.precision())}, {"recall", number(x.recall())},
    {"f1", number(x.f1())}, {"tp", x.tp}, {"fp", x.fp}, {"fn", x.fn}, {"cases", x.cases},
    {"otherwise", x.otherwise}};
}

json::array cases_of(const measured_decisions& x, size_t most) {
  json::array result;
  for (const auto* one : first_cases(x, most))
    result.emplace_back(json::object{{"daemon", json::value(view(daemon_of(one->what)))},
      {"figure", to_string(one->what)}, {"file", one->file}, {"conversation", one->conversation},
      {"turn", one->turn}, {"call_id", one->call_id}, {"wanted", one->wanted},
      {"found", one->found}, {"before", one->before}, {"input", one->input},
      {"response", one->response}});
  return result;
}

std::string cell(const std::string& text) {
  return "<td>" + escape_html(text) + "</td>";
}

std::string cells_of(const tally& x) {
  return cell(shown_share(x.precision())) + cell(shown_share(x.recall()))
         + cell(shown_share(x.f1()));
}

std::string name_of_row(const score_row& x) {
  if (x.figure.empty())
    return x.daemon;
  return x.value.empty() ? x.figure : x.figure + " " + x.value;
}

std::string table_of(const measured_decisions& x, const measured_decisions* against) {
  std::string out = "<table>\n<tr><th>decision</th><th>cases</th><th>precision</th><th>recall</th>"
                    "<th>F1</th>";
  out += against != nullptr ? "<th>precision against</th><th>recall against</th><th>F1 against</th>"
                            : "";
  out += "</tr>\n";
  for (const auto& row : rows_of(x.scores(), against != nullptr ? &against->scores() : nullptr)) {
    out += row.figure.empty() ? "<tr class=\"daemon\">" : "<tr>";
    out += cell(name_of_row(row));
    out += cell(row.counts.cases > 0 ? std::to_string(row.counts.cases) : "");
    out += cells_of(row.counts) + (against != nullptr ? cells_of(row.against) : "") + "</tr>\n";
  }
  return out + "</table>\n";
}

std::string message(std::string_view who, const std::string& text) {
  if (text.empty())
    return {};
  return "<p><b>" + std::string{who} + "</b> " + escape_html(text) + "</p>\n";
}

std::string case_html(const disagreement& x) {
  auto where = x.conversation + ", turn " + std::to_string(x.turn);
  if (!x.call_id.empty())
    where += ", call " + x.call_id;
  auto what = to_string(x.what) + ": " + x.found + ", labelled " + x.wanted;
  return "<details><summary>" + escape_html(what + " (" + where + ")") + "</summary>\n"
         + message("Assistant", x.before) + message("User", x.input)
         + message("Assistant", x.response) + "</details>\n";
}

std::string cases_html(const std::string& title, const measured_decisions& x, size_t most) {
  auto cases = first_cases(x, most);
  if (cases.empty())
    return {};
  auto out = "<h3>" + escape_html(title) + "</h3>\n";
  for (const auto* one : cases)
    out += case_html(*one);
  return out;
}

} // namespace

std::vector<const disagreement*> first_cases(const measured_decisions& x, size_t most) {
  std::map<std::string_view, std::vector<const disagreement*>> by_daemon;
  for (const auto& one : x.otherwise())
    if (auto& some = by_daemon[daemon_of(one.what)]; some.size() < most)
      some.push_back(&one);
  std::vector<const disagreement*> result;
  for (const auto& [daemon, some] : by_daemon)
    result.insert(result.end(), some.begin(), some.end());
  return result;
}

std::string shown_share(std::optional<double> x) {
  if (!x)
    return "-";
  char text[16];
  std::snprintf(text, sizeof text, "%.3f", *x);
  return text;
}

json::object evaluation_json(
  const measured_decisions& x, const measured_decisions* against, size_t most) {
  json::array figures;
  for (const auto& row : rows_of(x.scores(), against != nullptr ? &against->scores() : nullptr)) {
    json::object one{{"daemon", row.daemon}, {"figure", row.figure}, {"value", row.value}};
    for (const auto& [name, value] : counts_of(row.counts))
      one[name] = value;
    if (against != nullptr)
      one["against"] = counts_of(row.against);
    figures.emplace_back(std::move(one));
  }
  json::object result{{"conversations", x.summary().conversations}, {"turns", x.summary().turns},
    {"figures", std::move(figures)}, {"judged_otherwise", cases_of(x, most)}};
  if (against != nullptr)
    result["against_judged_otherwise"] = cases_of(*against, most);
  return result;
}

std::string evaluation_html(
  const measured_decisions& x, const measured_decisions* against, size_t most) {
  auto out = "<section class=\"evaluation\">\n<h2>Decisions against labels</h2>\n"
             + table_of(x, against) + cases_html("Judged otherwise", x, most);
  if (against != nullptr)
    out += cases_html("Judged otherwise by the second configuration", *against, most);
  return out + "</section>\n";
}

} // namespace scratchpage
