#include "scratchpage/tests/support/faulty_disk.hpp"

#include <atomic>
#include <stdexcept>

#include "scratchpage/tests/support/faulty_vfs.hpp"

namespace scratchpage::test {

namespace {

std::string next_name() {
  static std::atomic<uint64_t> disks = 0;
  return "faulty-" + std::to_string(++disks);
}

/// Counts down; true once, when the count gets to 0.
bool is_due(uint64_t& count) {
  return count > 0 && --count == 0;
}

} // namespace

faulty_disk::faulty_disk(uint64_t seed, disk_traits traits)
  : vfs_name_{next_name()},
    traits_{traits},
    chance_{seed},
    registered_{std::make_unique<faulty_vfs>(*this, seed)} {}

faulty_disk::~faulty_disk() = default;

void faulty_disk::see(const std::string& name) {
  std::lock_guard lock{mutex_};
  auto file = directory_.find(name);
  if (!file)
    return;
  auto how = next(operation::sync);
  if (how == fate::fails && !is_dead_)
    file->bytes.fail_to_sync(chance_);
  if (how != fate::works)
    throw std::runtime_error{"the disk cannot be seen"};
  file->bytes.sync();
  file->bytes.drop_cache();
}

void faulty_disk::plan(const disk_faults& faults) {
  std::lock_guard lock{mutex_};
  faults_ = faults;
  is_full_ = false;
}

void faulty_disk::cut_power() {
  std::lock_guard lock{mutex_};
  crash(false);
}

void faulty_disk::kill() {
  std::lock_guard lock{mutex_};
  crash(true);
}

void faulty_disk::crash(bool with_power) {
  if (is_dead_)
    return;
  is_dead_ = true;
  has_power_ = with_power;
  ++(with_power ? figures_.kills : figures_.power_cuts);
}

bool faulty_disk::is_dead() const {
  std::lock_guard lock{mutex_};
  return is_dead_;
}

void faulty_disk::restart() {
  std::lock_guard lock{mutex_};
  if (!has_power_) {
    directory_.lose_power(chance_);
    directory_.for_each([this](disk_file& x) {
      figures_.changes_at_stake += x.bytes.unsynced();
      x.bytes.lose_power(chance_);
    });
  }
  directory_.for_each([](disk_file& x) {
    x.locks = {};
    x.index.reset();
  });
  faults_ = {};
  is_full_ = false;
  is_dead_ = false;
  has_power_ = true;
  ++process_;
}

disk_figures faulty_disk::figures() const {
  std::lock_guard lock{mutex_};
  return figures_;
}

std::string faulty_disk::read(const std::string& name) const {
  std::lock_guard lock{mutex_};
  auto file = directory_.find(name);
  return file ? std::string{file->bytes.read(0, file->bytes.size())} : "";
}

// -- the outcome of an operation ------------------------------------------------------------

faulty_disk::fate faulty_disk::next(operation x) {
  if (is_dead_)
    return fate::fails;
  if (x == operation::write || x == operation::shrink)
    return next_write(x == operation::write);
  if (x == operation::sync) {
    ++figures_.syncs;
    if (is_crash_due())
      return fate::crashes;
    if (!is_due(faults_.sync_error_at))
      return fate::works;
    ++figures_.sync_errors;
    return fate::fails;
  }
  ++figures_.reads;
  if (!is_due(faults_.read_error_at))
    return fate::works;
  ++figures_.read_errors;
  return fate::fails;
}

faulty_disk::fate faulty_disk::next_write(bool needs_room) {
  ++figures_.writes;
  if (is_crash_due())
    return fate::crashes;
  if (is_due(faults_.write_error_at)) {
    ++figures_.write_errors;
    return fate::fails;
  }
  if (is_due(faults_.full_at))
    is_full_ = true;
  else if (is_full_ && is_due(faults_.full_for))
    is_full_ = false;
  if (!is_full_ || !needs_room)
    return fate::works;
  ++figures_.refused_for_room;
  return fate::finds_no_room;
}

bool faulty_disk::is_crash_due() {
  auto cut = is_due(faults_.cut_power_at);
  auto killed = is_due(faults_.kill_at);
  if (cut || killed)
    crash(!cut);
  return cut || killed;
}

} // namespace scratchpage::test
