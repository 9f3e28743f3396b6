#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"

/// Exports as texts. A failure that a function does not return ends the test.

namespace scratchpage::test {

std::unique_ptr<sql_store> open(const sql::connector& connect);

/// An export of all agents of a store. `files` is the argument of the exporter.
std::string exported(
  store& from, const pii_masker* masker = nullptr, const std::filesystem::path& files = {});

/// The lines without their line ends.
std::vector<std::string> lines_in(const std::string& text);

/// Imports lines. Returns "none", or an error with the line, the field and what was expected.
std::string import_lines(
  const std::vector<std::string>& lines, store& to, const std::filesystem::path& files = {});

/// Imports a text in one transaction, with the same result.
std::string imported(const std::string& text, const sql::connector& to);

/// The lines of `text`, with line `number` (from 1) replaced.
std::vector<std::string> with_line(const std::string& text, size_t number, std::string line);

/// The number of the first line of a kind, from 1.
size_t first_line_of(const std::string& text, const std::string& kind);

std::string replaced(std::string text, std::string_view from, std::string_view to);

} // namespace scratchpage::test
