#include "scratchpage/runtime/telemetry/process_metrics.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <sys/resource.h>
#include <unistd.h>

namespace scratchpage::telemetry {

namespace {

double seconds_of(const timeval& x) {
  return static_cast<double>(x.tv_sec) + static_cast<double>(x.tv_usec) / 1e6;
}

} // namespace

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
    to.only("process_resident_memory_bytes", metric_type::gauge, "Memory that is resident.",
      resident_pages * page);
  }
  std::error_code failed;
  std::filesystem::directory_iterator open{"/proc/self/fd", failed};
  if (!failed)
    to.only("process_open_fds", metric_type::gauge, "Files and sockets that are open.",
      static_cast<double>(std::distance(begin(open), end(open))));
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0)
    to.only("process_max_fds", metric_type::gauge, "How many may be.",
      static_cast<double>(files.rlim_cur));
}

} // namespace scratchpage::telemetry
