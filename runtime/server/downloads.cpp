#include "scratchpage/runtime/server/downloads.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <future>
#include <system_error>
#include <utility>

#include <caf/scoped_actor.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/files/base64.hpp"
#include "scratchpage/persistence/privacy/privacy_policy.hpp"
#include "scratchpage/persistence/transfer/database_files.hpp"
#include "scratchpage/persistence/transfer/export.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/net/http/http_answers.hpp"

namespace scratchpage::server {

namespace {

constexpr timespan page_timeout = std::chrono::seconds{10};
constexpr timespan longest_rest = std::chrono::seconds{10};
constexpr timespan between_looks = std::chrono::milliseconds{20};

timespan milliseconds_of(uint64_t x) {
  return std::chrono::milliseconds{x};
}

caf::error is_ending() {
  return fail(errc::overloaded, "server", "the server is about to end");
}

caf::error client_is_gone() {
  return fail(errc::storage_unavailable, "", "the client is gone");
}

/// A file that only its owner can read, and that is removed.
using part_file = temporary_database;

/// Computes the SHA-256 of a file.
class file_digest {
public:
  file_digest()
    : context_{EVP_MD_CTX_new(), EVP_MD_CTX_free} {
    EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr);
  }

  void add(std::string_view piece) { EVP_DigestUpdate(context_.get(), piece.data(), piece.size()); }

  /// As a value of the header Repr-Digest (RFC 9530).
  std::string to_header() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned size = 0;
    EVP_DigestFinal_ex(context_.get(), bytes.data(), &size);
    return "sha-256=:"
           + to_base64({reinterpret_cast<const char*>(bytes.data()), size}) // NOLINT: bytes
           + ":";
  }

private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

caf::error each_piece(
  const std::filesystem::path& file, const std::function<caf::error(std::string)>& take) {
  std::ifstream in{file, std::ios::binary};
  while (in) {
    std::string piece(download_limits::piece_bytes, '\0');
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    piece.resize(static_cast<size_t>(in.gcount()));
    if (piece.empty())
      break;
    if (auto err = take(std::move(piece)))
      return err;
  }
  if (in.eof())
    return {};
  return fail(errc::storage_unavailable, "", "the copy cannot be read");
}

/// The digest of a file for the header Repr-Digest; `go_on` is asked for each piece.
caf::expected<std::string> digest_of(const std::filesystem::path& file, const may_go_on& go_on) {
  file_digest digest;
  auto err = each_piece(file, [&](const std::string& piece) {
    digest.add(piece);
    return go_on();
  });
  if (err)
    return err;
  return digest.to_header();
}

} // namespace

std::optional<download_order> read_download(const std::vector<std::string>& segments) {
  using enum download_order::kind;
  if (segments.size() == 2 && segments[0] == "v1") {
    if (segments[1] == "export")
      return download_order{exported, {}};
    if (segments[1] == "checkpoint")
      return download_order{checkpoint, {}};
  }
  if (segments.size() == 4 && segments[0] == "v1" && segments[1] == "agents"
      && segments[3] == "export")
    return download_order{exported, segments[2]};
  return std::nullopt;
}

bool is_download(std::string_view path) {
  return path == "/v1/checkpoint" || (path.starts_with("/v1/") && path.ends_with("/export"));
}

/// One download, on its thread.
class downloads::job {
public:
  job(downloads& in, download_order what, principal who, std::shared_ptr<http::exchange> to,
    std::shared_ptr<http::permit> permit)
    : in_{in},
      host_{in.host_},
      what_{std::move(what)},
      who_{std::move(who)},
      to_{std::move(to)},
      permit_{std::move(permit)} {}

  void run() {
    began_ = worked_from_ = clock_.steady();
    to_->on_gone([gone = gone_] { *gone = true; });
    auto err = await_stored();
    if (!err)
      err = what_.what == download_order::kind::exported ? send_export() : send_checkpoint();
    permit_.reset(); // first, so that a client that has its answer may ask again
    if (!err)
      return stream_->close();
    if (stream_)
      stream_->cut_off(); // so that the client sees that it is incomplete
    else
      to_->respond(http::error_response(err));
  }

private:
  // -- what was acknowledged before ----------------------------------------------------------

  /// With the durability `async`, changes are acknowledged before they are stored.
  caf::error await_stored() {
    if (host_.with().durability.durability != durability::async)
      return {};
    caf::scoped_actor self{host_.system()};
    for (const auto& agent : host_.agents()) {
      if (what_.agent_id && agent->id != *what_.agent_id)
        continue;
      uint64_t sequence = 0;
      caf::error failed;
      ask(self.ptr(), agent->page, page_timeout, caf::get_atom_v)
        .receive([&](const page_stats& x) { sequence = x.sequence; },
          [&](const caf::error& err) { failed = err; });
      if (!failed)
        failed = await_stored(agent->id, sequence);
      if (failed)
        return failed;
    }
    return {};
  }

  caf::error await_stored(const std::string& agent_id, uint64_t sequence) {
    auto& in = host_.histories();
    auto agent = in.find_agent(agent_id);
    if (!agent || !*agent)
      return agent ? caf::error{} : agent.error();
    while (clock_.steady() - began_ < milliseconds_of(download_limits::stored_ms)) {
      auto last = in.end_of_journal(**agent);
      if (!last || *last >= sequence)
        return last ? caf::error{} : last.error();
      if (auto err = rest(between_looks))
        return err;
    }
    return fail(errc::storage_unavailable, "", "expected a storage that keeps up with the changes");
  }

  // -- an export -----------------------------------------------------------------------------

  caf::error send_export() {
    auto from = host_.stored().open_consistent();
    if (!from)
      return from.error();
    auto agents = find_agents(**from);
    if (!agents)
      return agents.error();
    privacy_policy policy{host_.with().privacy};
    const auto& directory = host_.stored().directory;
    exporter lines{[this](std::string_view line) { return add(line); },
      policy.masks_on_export() ? &policy.masker() : nullptr,
      directory ? directory->files() : std::filesystem::path{}};
    for (const auto& id : *agents)
      if (auto err = lines.add(**from, id))
        return err;
    if (auto err = lines.finish())
      return err;
    return send();
  }

  caf::expected<std::vector<std::string>> find_agents(store& from) const {
    if (what_.agent_id)
      return find_agent(from, *what_.agent_id);
    auto all = from.agents();
    if (!all)
      return all.error();
    for (const auto& id : *all)
      if (who_.check_agent)
        if (auto err = who_.check_agent(id))
          return fail(errc::forbidden, "agent", "expected a token for all agents");
    return all;
  }

  static caf::expected<std::vector<std::string>> find_agent(store& from, const std::string& id) {
    auto found = from.find_agent(id);
    if (!found)
      return found.error();
    if (*found)
      return std::vector{id};
    return fail(errc::not_found, "agent", "expected an agent that is there, got '" + id + "'");
  }

  /// The first line is sent with the head, so that an error before it is an answer of its own.
  caf::error add(std::string_view line) {
    piece_ += line;
    if (piece_.size() < download_limits::piece_bytes)
      return go_on();
    return send();
  }

  caf::error send() {
    if (!stream_)
      if (auto err = begin({{"content-type", "application/x-ndjson"}}))
        return err;
    return write(std::exchange(piece_, {}));
  }

  // -- a checkpoint --------------------------------------------------------------------------

  caf::error send_checkpoint() {
    const auto& directory = host_.stored().directory;
    if (!directory)
      return fail(errc::invalid_request, "server",
        "expected a server on a data directory; a PostgreSQL database is copied by pg_dump");
    if (auto all = find_agents(host_.histories()); !all)
      return all.error();
    part_file part{directory->path() / "checkpoint.part"};
    auto err = copy_directory(
      directory->database(), directory->files(), part.path(), {}, [this] { return go_on(); });
    if (err)
      return err;
    auto digest = digest_of(part.path(), [this] { return go_on(); });
    if (!digest)
      return digest.error();
    // Agents are never removed, so that the list has all that are in the copy.
    if (auto all = find_agents(host_.histories()); !all)
      return all.error();
    err = begin({{"content-type", "application/vnd.sqlite3"}, {"repr-digest", *digest}});
    if (err)
      return err;
    return each_piece(part.path(), [this](std::string piece) { return write(std::move(piece)); });
  }

  // -- the stream ----------------------------------------------------------------------------

  caf::error begin(std::vector<http::header> headers) {
    if (auto err = check_admission())
      return err;
    headers.push_back({"cache-control", "no-store"});
    stream_ = to_->begin_stream({200, std::move(headers), {}}, http::at_drain::wait);
    return {};
  }

  /// The client's token may end while the copy is made.
  caf::error check_admission() const {
    return who_.check_admission ? who_.check_admission() : caf::error{};
  }

  caf::error write(std::string piece) {
    auto waits_from = clock_.steady();
    auto sent = std::make_shared<std::promise<bool>>();
    auto result = sent->get_future();
    stream_->write(std::move(piece), [sent](bool done) { sent->set_value(done); });
    auto until = clock_.steady() + milliseconds_of(download_limits::stalled_ms);
    while (result.wait_for(between_looks) != std::future_status::ready) {
      if (auto err = rest({}))
        return err;
      if (clock_.steady() > until)
        return fail(errc::deadline_exceeded, "", "expected a client that reads");
    }
    worked_from_ += clock_.steady() - waits_from; // waiting for the client is no work
    return result.get() ? go_on() : client_is_gone();
  }

  /// Rests when it has worked for a while, so that it takes only a part of a core and of the disk.
  caf::error go_on() {
    constexpr timespan at_once = std::chrono::milliseconds{4};
    auto now = clock_.steady();
    if (*gone_)
      return client_is_gone();
    if (now - began_ > milliseconds_of(download_limits::total_ms))
      return fail(errc::deadline_exceeded, "", "expected a copy that is made in time");
    auto worked = now - worked_from_;
    if (worked < at_once)
      return {};
    if (auto err = check_admission())
      return err;
    auto err = rest(std::min<timespan>(worked * download_limits::rest_per_work, longest_rest));
    worked_from_ = clock_.steady();
    return err;
  }

  caf::error rest(timespan how_long) {
    std::unique_lock lock{in_.guard_};
    auto ends = in_.ending_.wait_for(lock, how_long, [this] { return in_.ends_; });
    return ends ? is_ending() : caf::error{};
  }

  downloads& in_;
  agent_host& host_;
  download_order what_;
  principal who_;
  std::shared_ptr<http::exchange> to_;
  std::shared_ptr<http::permit> permit_;
  std::shared_ptr<http::stream> stream_;
  std::shared_ptr<std::atomic<bool>> gone_ = std::make_shared<std::atomic<bool>>(false);
  wall_clock clock_;
  timespan began_{};
  timespan worked_from_{};
  std::string piece_;
};

downloads::downloads(agent_host& host)
  : host_{host},
    work_{{1}, work_queue::pace::gives_way} {}

downloads::~downloads() {
  begin_to_end();
}

void downloads::begin_to_end() {
  std::lock_guard lock{guard_};
  ends_ = true;
  ending_.notify_all();
}

void downloads::answer(
  download_order what, const principal& who, const std::shared_ptr<http::exchange>& to) {
  if (who.by.role < role::admin)
    return to->respond(http::error_response(
      fail(errc::forbidden, "by.role", "expected the role 'admin' for copies of what is stored")));
  if (what.agent_id && who.check_agent)
    if (auto err = who.check_agent(*what.agent_id))
      return to->respond(http::error_response(err));
  auto permit = std::make_shared<http::permit>(host_.copies());
  auto work = [this, what = std::move(what), who, to, permit]() mutable {
    job{*this, std::move(what), std::move(who), std::move(to), std::move(permit)}.run();
  };
  if (*permit && work_.later(std::move(work)))
    return;
  to->respond(http::error_response(fail(errc::overloaded, "",
    "expected one export or checkpoint at a time, but another one is made; ask again later")));
}

} // namespace scratchpage::server
