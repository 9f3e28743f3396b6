#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <caf/expected.hpp>

/// The configuration for a program that embeds the team. It can be read, checked and printed.
/// docs/configuration.md describes every section.

namespace scratchpage {

struct config;

using config_ptr = std::shared_ptr<const config>;

/// Reads a JSON text over the built-in configuration: objects are merged at any depth, lists and
/// values replace earlier ones, null removes a member. Comments and a comma before a closing
/// bracket are allowed. An error names the path of a member that is unknown, malformed or out of
/// range.
caf::expected<config_ptr> read_config(std::string_view user_json_text);

/// The effective values as JSON, which `read_config` can read.
std::string dump_config(const config& x);

/// The built-in configuration itself, comments included.
std::string_view default_config_text();

} // namespace scratchpage
