#include <optional>
#include <string>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/transfer/export.hpp"
#include "scratchpage/persistence/transfer/import.hpp"
#include "scratchpage/tests/fuzz/targets.hpp"
#include "scratchpage/tests/support/memory_store.hpp"

namespace scratchpage::fuzz {

namespace {

/// Puts the right checksum into an end line, since a fuzzer cannot guess it.
std::string with_checksum(std::string_view line, const running_checksum& sum) {
  auto end = from_json_text<end_line>(line);
  if (!end || end->line != export_line::end)
    return std::string{line};
  end->checksum = to_hex(sum.value());
  return to_text(to_json(*end));
}

/// Whether the import of all lines worked.
bool import_into(store& to, std::string_view lines) {
  importer import{to};
  running_checksum sum;
  while (!lines.empty()) {
    auto line = with_checksum(take_line(lines), sum);
    if (import.take(line))
      return false;
    sum.add(line);
    sum.add("\n");
  }
  return !import.finish();
}

std::string export_from(store& from) {
  std::string result;
  exporter to{[&result](std::string_view line) {
    result += line;
    return caf::error{};
  }};
  auto agents = from.agents();
  promise(static_cast<bool>(agents), "the agents of a store can be listed");
  for (const auto& x : *agents)
    promise(!to.add(from, x), "what was imported can be exported");
  promise(!to.finish(), "an export can be finished");
  return result;
}

} // namespace

void import(std::string_view bytes) {
  memory_store first;
  if (!import_into(first, bytes))
    return;
  auto text = export_from(first);
  memory_store second;
  promise(import_into(second, text), "what was exported can be imported");
  promise(export_from(second) == text, "the second export has the same bytes");
}

} // namespace scratchpage::fuzz
