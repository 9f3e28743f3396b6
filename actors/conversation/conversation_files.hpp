#pragma once

#include <string>
#include <string_view>

/// Where the files of a thread's conversation are.

namespace scratchpage {

/// What a model sees of it.
std::string log_path(std::string_view thread_id);

/// What has left it.
std::string history_path(std::string_view thread_id);

/// A text of it that was too long; the same for the same text.
std::string result_path(std::string_view thread_id, std::string_view text);

/// Whether `path` is a file of what has left that thread.
bool is_of_conversation(std::string_view path, std::string_view thread_id);

} // namespace scratchpage
