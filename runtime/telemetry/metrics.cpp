#include "scratchpage/runtime/telemetry/metrics.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include <sys/resource.h>
#include <unistd.h>

namespace scratchpage::telemetry {

namespace {

std::string_view name_of(metric_type x) {
  constexpr std::array<std::string_view, 3> names{"counter", "gauge", "histogram"};
  return names[static_cast<size_t>(x)];
}

void append_number(std::string& to, double x) {
  if (!std::isfinite(x)) {
    to += std::isnan(x) ? "NaN" : x > 0 ? "+Inf" : "-Inf";
    return;
  }
  std::array<char, 400> room{}; // the longest has 309 digits, or as many zeros
  // Small and large numbers have no exponent either, so that people can read them.
  auto end = std::to_chars(room.data(), room.data() + room.size(), x, std::chars_format::fixed).ptr;
  to.append(room.data(), end);
}

/// Escapes backslashes, quotes and line ends, which would end a value.
void append_value(std::string& to, std::string_view text) {
  for (char c : text) {
    if (c == '\\' || c == '"')
      to += '\\';
    if (c == '\n')
      to += "\\n";
    else
      to += c;
  }
}

constexpr std::string_view calls = "scratchpage_operations_total";
constexpr std::string_view durations = "scratchpage_operation_duration_seconds";

std::string_view outcome(size_t how) {
  return how == 0 ? std::string_view{"ok"} : enum_names<errc>[how];
}

double seconds_of(const timeval& x) {
  return static_cast<double>(x.tv_sec) + static_cast<double>(x.tv_usec) / 1e6;
}

} // namespace

void metrics_text::head(std::string_view name, metric_type type, std::string_view help) {
  text_.append("# HELP ").append(name).append(" ").append(help).append("\n# TYPE ");
  text_.append(name).append(" ").append(name_of(type)).append("\n");
}

void metrics_text::begin(
  std::string_view name, labels of, std::string_view suffix, std::string_view bound) {
  text_.append(name).append(suffix);
  auto separator = '{';
  auto put = [&](std::string_view label, std::string_view value) {
    text_ += std::exchange(separator, ',');
    text_.append(label).append("=\"");
    append_value(text_, value);
    text_ += '"';
  };
  for (const auto& [label, value] : of)
    put(label, value);
  if (!bound.empty())
    put("le", bound);
  text_ += separator == ',' ? "} " : " ";
}

void metrics_text::sample(std::string_view name, labels of, double value) {
  begin(name, of);
  append_number(text_, value);
  text_ += '\n';
}

void metrics_text::sample(std::string_view name, labels of, uint64_t value) {
  begin(name, of);
  text_.append(std::to_string(value)).append("\n");
}

void metrics_text::samples(std::string_view name, labels of, const duration_histogram& values) {
  uint64_t so_far = 0;
  for (size_t i = 0; i <= duration_histogram::bounds.size(); ++i) {
    std::string bound = "+Inf";
    if (i < duration_histogram::bounds.size()) {
      bound.clear();
      append_number(bound, duration_histogram::bounds[i]);
    }
    so_far += values.count(i);
    begin(name, of, "_bucket", bound);
    text_.append(std::to_string(so_far)).append("\n");
  }
  begin(name, of, "_sum");
  append_number(text_, values.seconds());
  text_ += '\n';
  begin(name, of, "_count");
  text_.append(std::to_string(so_far)).append("\n");
}

void metrics_text::only(
  std::string_view name, metric_type type, std::string_view help, double value) {
  head(name, type, help);
  sample(name, {}, value);
}

operation_metrics::operation_metrics(std::vector<std::string_view> names)
  : names_{std::move(names)} {
  for (size_t i = 0; i <= names_.size(); ++i)
    by_operation_.push_back(std::make_unique<counts>());
}

begun_call operation_metrics::begin(std::string_view operation) const {
  auto at = std::find(names_.begin(), names_.end(), operation);
  return {static_cast<size_t>(at - names_.begin()), std::chrono::steady_clock::now()};
}

void operation_metrics::end(const begun_call& x, errc how) {
  auto& to = *by_operation_[x.operation];
  to.ended[static_cast<size_t>(how)].fetch_add(1, std::memory_order_relaxed);
  to.took.add(std::chrono::steady_clock::now() - x.at);
}

void operation_metrics::write(metrics_text& to) const {
  auto name_at = [this](size_t i) {
    return i < names_.size() ? names_[i] : std::string_view{"unknown"};
  };
  to.head(calls, metric_type::counter, "Finished calls of operations.");
  for (size_t i = 0; i < by_operation_.size(); ++i)
    for (size_t how = 0; how < by_operation_[i]->ended.size(); ++how)
      if (auto count = by_operation_[i]->ended[how].load(std::memory_order_relaxed); count > 0)
        to.sample(calls, {{"operation", name_at(i)}, {"outcome", outcome(how)}}, count);
  to.head(durations, metric_type::histogram, "Time from a call to its answer.");
  for (size_t i = 0; i < by_operation_.size(); ++i) {
    const auto& took = by_operation_[i]->took;
    auto is_used = took.seconds() > 0;
    if (is_used)
      to.samples(durations, {{"operation", name_at(i)}}, took);
  }
}

void write_process_metrics(metrics_text& to) {
  rusage used{};
  if (getrusage(RUSAGE_SELF, &used) == 0)
    to.only("process_cpu_seconds_total", metric_type::counter, "CPU time, user and system.",
      seconds_of(used.ru_utime) + seconds_of(used.ru_stime));
  std::ifstream file{"/proc/self/statm"};
  double virtual_pages = 0;
  double resident_pages = 0;
  if (file >> virtual_pages >> resident_pages) {
    auto page = static_cast<double>(sysconf(_SC_PAGESIZE));
    to.only(
      "process_virtual_memory_bytes", metric_type::gauge, "Virtual memory.", virtual_pages * page);
    to.only("process_resident_memory_bytes", metric_type::gauge, "Resident memory.",
      resident_pages * page);
  }
  std::error_code failed;
  std::filesystem::directory_iterator open{"/proc/self/fd", failed};
  if (!failed)
    to.only("process_open_fds", metric_type::gauge, "Open files and sockets.",
      static_cast<double>(std::distance(begin(open), end(open))));
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0)
    to.only("process_max_fds", metric_type::gauge, "Greatest number of open files and sockets.",
      static_cast<double>(files.rlim_cur));
}

} // namespace scratchpage::telemetry
