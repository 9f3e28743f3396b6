#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/trace.hpp"

namespace scratchpage {

class pii_masker;

/// Takes trace entries. Any thread may call it. It never blocks for long and reports no errors.
class trace_sink {
public:
  virtual ~trace_sink() = default;
  virtual void write(trace_entry entry) = 0;

  /// Asks the sink to mask personal data in all entries, on its own thread. If it returns false, it
  /// does not, and the entries must be masked before they are written to it.
  virtual bool mask_with(const std::shared_ptr<const pii_masker>&) { return false; }
};

/// Keeps entries in memory, in the order in which they were written.
class memory_trace : public trace_sink {
public:
  void write(trace_entry entry) override;

  /// A copy of all entries.
  std::vector<trace_entry> entries() const;

  /// A copy of the entries of one turn.
  std::vector<trace_entry> entries_of(const std::string& turn_id) const;

  /// All entries; they are then removed.
  std::vector<trace_entry> take();

  size_t size() const;

private:
  mutable std::mutex mutex_;
  std::vector<trace_entry> entries_;
};

/// Masks the personal data in the details of entries and passes the entries on. Names of callers,
/// components and operations stay as they are, and so do ids.
class masked_trace : public trace_sink {
public:
  /// Neither argument is null.
  masked_trace(std::shared_ptr<trace_sink> next, std::shared_ptr<const pii_masker> masker)
    : next_{std::move(next)},
      masker_{std::move(masker)} {}

  void write(trace_entry entry) override;

private:
  std::shared_ptr<trace_sink> next_;
  std::shared_ptr<const pii_masker> masker_;
};

} // namespace scratchpage

/// Callers choose some of the texts in a trace, such as an id or the words of a query. These texts
/// are bounded before an entry waits, is written or is exported.

namespace scratchpage {

struct trace_limits {
  static constexpr size_t name_bytes = 256;      ///< of the id of the turn, and of the source
  static constexpr size_t text_bytes = 1'024;    ///< of one text in an entry's detail
  static constexpr size_t detail_bytes = 16'384; ///< of all texts in an entry's detail
};

/// The turn or source of an entry, cut to `trace_limits`. A text that was cut ends with "…".
std::string shortened_name(const std::string& x);

/// Cuts the texts of the detail to `trace_limits`. A text that was cut ends with "…".
void shorten_texts(json::object& detail);

/// About how many bytes of memory the entry takes, with its observation.
size_t memory_of(const trace_entry& x);

} // namespace scratchpage

/// The complete form of an entry, in which its observation is a part of the detail.

namespace scratchpage {

/// Moves the observation of the entry into its detail, after the id and the type of the
/// observation.
void complete(trace_entry& x);

/// Appends the JSON of the entry in the form that `complete` gives it.
void append_complete(std::string& out, const trace_entry& x);

} // namespace scratchpage
