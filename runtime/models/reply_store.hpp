#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/runtime/models/chat.hpp"

namespace scratchpage::models {

struct reply_store_limits {
  static constexpr size_t file_bytes = size_t{256} << 20;
  static constexpr size_t replies = 200'000;
};

/// Replies by the hash of their requests, so that a run can be repeated without a model. In a file
/// they are JSON lines, sorted by their keys. Thread-safe.
class reply_store {
public:
  /// Adds the replies of a file's text. The error names the line and the member. An empty text has
  /// no replies.
  caf::error read(std::string_view text);

  /// The reply with this key, if there is one.
  std::optional<chat_reply> find(const std::string& key) const;

  /// Keeps a reply, unless there is one with this key or the store is full.
  void keep(const std::string& key, const std::string& daemon, const chat_reply& x);

  /// All replies, as `read` takes them.
  std::string text() const;

  size_t size() const;
  /// Whether `keep` has added a reply.
  bool has_grown() const;

private:
  struct entry {
    std::string daemon;
    chat_reply reply;
  };

  caf::error read_line(std::string_view line, size_t number);

  mutable std::mutex guard_;
  std::map<std::string, entry> replies_;
  bool has_grown_ = false;
};

} // namespace scratchpage::models
