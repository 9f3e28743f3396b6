#pragma once

#include <string>
#include <string_view>

/// Where the files of a thread's conversation are.

namespace scratchpage {

/// What has left it.
std::string history_path(std::string_view thread_id);

/// A text of it that was too long; the same for the same text.
std::string result_path(std::string_view thread_id, std::string_view text);

/// Whether `path` is one of the above for that thread.
bool is_of_conversation(std::string_view path, std::string_view thread_id);

} // namespace scratchpage
