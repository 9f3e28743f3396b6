#include "scratchpage/actors/policies/output_reading.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "scratchpage/actors/language/classifiers.hpp"
#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

using word_set = std::set<std::string, std::less<>>;

constexpr size_t max_depth = 4;       // of members within members
constexpr size_t max_members = 500;   // of outputs that are read
constexpr size_t quoted_bytes = 80;   // of a value that a reason names
constexpr size_t text_bytes = 65'536; // of a text that are read
constexpr size_t max_lines = 200;     // of a text, that tell of a failure
constexpr size_t line_bytes = 200;    // of a line
constexpr double certain = 0.8;       // of the classifier, from here on it is believed

/// Members whose `false`, null or emptiness says that it did not work.
const word_set& proofs() {
  static const word_set result{"ok", "success", "successful", "succeeded", "done", "completed",
    "complete", "passed", "valid", "sent", "delivered", "paid", "booked", "reserved", "confirmed",
    "answered", "eligible", "available", "approved", "accepted", "authorized", "authorised",
    "allowed", "permitted", "created", "saved", "written", "deleted", "removed", "updated",
    "applied", "installed", "deployed", "started", "stopped", "locked", "unlocked", "opened",
    "closed", "printed", "uploaded", "downloaded", "connected", "reachable", "playing", "played",
    "scheduled", "registered", "cancelled", "canceled", "refunded", "transferred", "charged",
    "submitted", "published", "merged", "moved", "copied", "cleaned", "watered", "reached",
    "grasped", "picked", "placed", "ack", "acknowledged", "healthy", "erfolg", "erfolgreich",
    "gesendet", "gebucht", "bezahlt", "storniert", "erledigt", "éxito", "exito", "enviado",
    "pagado", "reservado", "cancelado", "hecho", "succès", "succes", "réussi", "reussi", "envoyé",
    "envoye", "payé", "paye", "réservé", "reserve", "annulé", "annule", "成功", "送信", "完了",
    "已发送", "已支付", "已预订", "完成", "予約", "支払い"};
  return result;
}

/// Members that say what went wrong, if they say something.
const word_set& complaints() {
  static const word_set result{"error", "errors", "err", "exception", "failure", "failures",
    "failed", "fehler", "fehlgeschlagen", "rejected", "refused", "denied", "declined", "invalid",
    "missing", "unreachable", "undeliverable", "bounced", "blocked", "timed_out", "timedout",
    "aborted", "crashed", "fallo", "fallido", "rechazado", "erreur", "erreurs", "échec", "echec",
    "refusé", "错误", "失败", "エラー", "失敗"};
  return result;
}

/// Members that name what a deed brought: null says that there is none.
const word_set& receipts() {
  static const word_set result{"pnr", "id", "confirmation", "confirmation_number",
    "confirmation_id", "confirmation_code", "booking_id", "order_id", "reservation_id", "reference",
    "ticket", "ticket_id", "receipt", "transaction_id", "message_id", "event_id", "url", "result",
    "output", "answer", "value", "tracking_number"};
  return result;
}

/// Members that are often null without any harm.
const word_set& nothings() {
  static const word_set result{"next", "next_cursor", "cursor", "next_page", "warning", "warnings",
    "message", "note", "notes", "reason", "end", "ends_at", "expires", "expires_at", "parent",
    "error", "errors", "stderr", "stdout", "deleted_at", "comment", "description", "middle_name",
    "phone", "fax", "website", "image", "previous", "fehler", "erreur"};
  return result;
}

/// Members whose text is a state.
const word_set& states() {
  static const word_set result{"status", "state", "result", "outcome", "phase", "stage", "stand",
    "zustand", "ergebnis", "estado", "resultado", "statut", "état", "etat", "résultat", "resultat",
    "状态", "结果", "状態", "結果", "rollout", "conclusion", "verdict", "code", "decision",
    "disposition"};
  return result;
}

/// Members whose text says why or tells what happened.
const word_set& tellings() {
  static const word_set result{"message", "msg", "reason", "detail", "details", "note", "notes",
    "warning", "meldung", "grund", "hinweis", "nachricht", "mensaje", "motivo", "razón", "razon",
    "raison", "motif", "原因", "理由", "消息", "信息", "メッセージ", "description", "explanation",
    "stderr", "stdout", "log", "logs", "output", "text", "response", "body"};
  return result;
}

/// Members whose `false` is good news, or none.
const word_set& harmless() {
  static const word_set result{"stale", "cached", "truncated", "more", "has_more", "dry_run",
    "test", "partial", "retry", "retryable", "expired", "overdue", "delayed", "duplicate",
    "required", "optional", "archived", "hidden", "muted", "spam", "changed", "changes", "dirty",
    "stopover", "refundable", "smoking", "pets", "rain", "snow", "open", "is_open", "on", "off",
    "enabled", "active", "public", "private", "default", "found", "exists", "in_use", "busy",
    "used", "taken", "listening", "busy_now", "free", "conflict", "conflicts", "interaction",
    "interactions", "present", "voicemail", "live", "infected", "vulnerable", "late"};
  return result;
}

const word_set& bad_states() {
  static const word_set result{"failed", "failure", "fail", "error", "errored", "rejected",
    "denied", "declined", "refused", "aborted", "cancelled by host", "unconfirmed", "uc", "no",
    "nok", "not ok", "unsuccessful", "undelivered", "bounced", "unknown", "timeout", "timed out",
    "unavailable", "offline", "jammed", "stuck", "crashed", "blocked", "invalid", "expired",
    "unreachable", "unable", "incomplete", "rolled back", "not found", "sold out", "none", "red",
    "unhealthy", "degraded", "fehlgeschlagen", "fehler", "abgelehnt", "gescheitert", "fallido",
    "rechazado", "échoué", "refusé", "失败", "錯誤", "错误", "被拒绝", "失敗", "エラー", "拒否"};
  return result;
}

const word_set& unfinished_states() {
  static const word_set result{"pending", "queued", "accepted", "in progress", "in_progress",
    "running", "processing", "started", "starting", "scheduled", "waiting", "submitted", "received",
    "working", "building", "deploying", "uploading", "downloading", "initiated", "requested",
    "awaiting", "on hold", "not started", "ongoing", "preparing", "under review", "in review",
    "provisioning", "syncing", "in bearbeitung", "ausstehend", "läuft", "wartet", "pendiente",
    "en curso", "en proceso", "en cours", "en attente", "处理中", "进行中", "等待中", "待处理",
    "処理中", "進行中", "待機中", "保留中"};
  return result;
}

/// Those of them that are as good as done where a call was to begin something.
const word_set& counting_states() {
  static const word_set result{"running", "started", "starting", "scheduled", "queued", "accepted",
    "submitted", "requested", "received", "läuft", "initiated"};
  return result;
}

const word_set& good_states() {
  static const word_set result{"ok", "done", "success", "successful", "succeeded", "complete",
    "completed", "finished", "sent", "delivered", "booked", "confirmed", "paid", "ready", "on",
    "off", "open", "opened", "closed", "locked", "unlocked", "active", "enabled", "disabled",
    "passed", "pass", "green", "yes", "up", "online", "healthy", "created", "deleted", "updated",
    "cancelled", "canceled", "playing", "paused", "stopped", "approved", "merged", "deployed",
    "installed", "filled", "refunded", "erledigt", "an", "aus", "fertig", "hecho", "listo", "fait",
    "terminé", "成功", "完成", "已完成", "完了"};
  return result;
}

/// Texts within a line that say that it did not work, in lower case.
constexpr std::string_view failing[] = {"error:", "err!", "fatal:", "traceback", "exception",
  " failed", "failed ", "failure", "could not", "cannot ", "can't ", "unable to",
  "permission denied", "access denied", "not permitted", "i/o error", "input/output error",
  "no such ", "not found", "timed out", "refused", "rejected", "aborted",
  "panic:", "segmentation fault", "was not ", "were not ", "not possible", "impossible",
  "skipped due", "error, skipped", "e: ", "fehlgeschlagen", "fehler:", "nicht möglich",
  "konnte nicht", "kann nicht", "abgelehnt", "no se pudo", "no se puede", "error al", "falló",
  "rechazad", "impossible de", "échec", "échoué", "n'a pas pu", "refusé", "失败", "无法", "未能",
  "不能", "出错", "拒绝", "失敗", "できません", "できない", "エラー", "ありませんでした",
  "見つかりません", "開いたまま", "閉まっていません", "拒否"};

/// As above, where nothing is wrong although a word looks like it.
constexpr std::string_view excused[] = {"0 failed", "no error", "0 error", "without error",
  "no failure", "0 failure", "failed: 0", "errors: 0", "error: 0", "error: none", "error: null",
  "keine fehler", "0 fehler", "sin errores", "0 errores", "aucune erreur", "0 erreur", "没有错误",
  "エラーなし", "エラーはありません"};

std::string lower(std::string_view text) {
  std::string result{text};
  for (char& c : result)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return result;
}

bool has_any(std::string_view text, const auto& phrases) {
  return std::any_of(std::begin(phrases), std::end(phrases),
    [&](std::string_view one) { return text.find(one) != std::string_view::npos; });
}

bool is_empty(const json::value& x) {
  return x.is_null() || (x.is_string() && x.get_string().empty())
         || (x.is_array() && x.get_array().empty()) || (x.is_object() && x.get_object().empty());
}

/// Whether a member that would complain has something to complain about.
bool complains(const json::value& x) {
  if (is_empty(x) || (x.is_bool() && !x.get_bool()))
    return false;
  if (x.is_number())
    return x.to_number<double>() != 0;
  if (x.is_string()) {
    auto text = lower(std::string_view{x.get_string()});
    return text != "none" && text != "no" && text != "false" && text != "0" && text != "ok";
  }
  return true;
}

/// Collects what the members say; the worst finding wins, and of equal ones the first.
class reader {
public:
  output_reading read(const json::object& outputs) {
    read_members(outputs, 0, {});
    settle();
    return std::move(result_);
  }

private:
  void found(output_finding what, std::string reason) {
    if (result_.finding > what || (result_.finding == what && result_.reason.empty())) {
      result_.finding = what;
      result_.reason = std::move(reason);
    }
  }

  void read_members(const json::object& x, size_t depth, const std::string& path) {
    for (const auto& one : x) {
      if (++members_ > max_members)
        return;
      std::string name{one.key()};
      read_member(x, lower(name), one.value(), depth, path + name);
    }
  }

  void read_member(const json::object& in, const std::string& key, const json::value& value,
    size_t depth, const std::string& path) {
    if (complaints().contains(key) && complains(value)) {
      complain(in, value, path);
      return;
    }
    if (is_code(key) && value.is_number()) {
      read_code(value.to_number<double>(), path);
      return;
    }
    if (key == "http_status" || key == "status_code" || key == "statuscode" || key == "http_code"
        || ((key == "status" || key == "code") && value.is_number())) {
      read_http(value, path);
      return;
    }
    if (value.is_bool())
      read_flag(in, key, value.get_bool(), path);
    else if (value.is_string())
      read_text(key, std::string_view{value.get_string()}, path);
    else if (value.is_array())
      read_list(key, value.get_array(), depth, path);
    else if (value.is_object() && depth < max_depth)
      read_members(value.get_object(), depth + 1, path + ".");
    else if (value.is_null()
             && (receipts().contains(key) || (!nothings().contains(key) && has_reason(in))))
      found(output_finding::failed, path + " is null");
    else if (value.is_number())
      read_number(in, key, value.to_number<double>(), path);
  }

  static bool is_code(const std::string& key) {
    return key == "exit_code" || key == "exitcode" || key == "exit" || key == "returncode"
           || key == "return_code" || key == "exit_status" || key == "rc";
  }

  /// Entries that failed beside others that did not are a part.
  void complain(const json::object& in, const json::value& value, const std::string& path) {
    auto others = std::any_of(in.begin(), in.end(), [&](const auto& one) {
      return &one.value() != &value && !complaints().contains(lower(std::string_view{one.key()}))
             && ((one.value().is_number() && one.value().template to_number<double>() > 0)
                 || (one.value().is_array() && !one.value().get_array().empty()));
    });
    auto counts = value.is_array() || value.is_number();
    result_.is_error = result_.is_error || path == "error" || path == "exception";
    found(counts && others ? output_finding::partial : output_finding::failed,
      path + ": "
        + utf8::shortened(
          value.is_string() ? std::string{value.get_string()} : to_text(value), quoted_bytes));
  }

  void read_code(double code, const std::string& path) {
    if (code == 0) {
      says_fine_ = true;
      return;
    }
    code_reason_ = path + " is " + std::to_string(std::llround(code));
  }

  void read_http(const json::value& value, const std::string& path) {
    auto code = value.is_number() ? value.to_number<double>() : 0;
    if (code >= 500 && code < 600)
      result_.is_error = true;
    if (code >= 400 && code < 600)
      found(output_finding::failed, path + " is " + std::to_string(std::llround(code)));
    else if (code == 202)
      found(output_finding::pending, path + " is 202");
    else if (code >= 200 && code < 300)
      says_fine_ = true;
  }

  void read_flag(
    const json::object& in, const std::string& key, bool value, const std::string& path) {
    if (key == "partial" || key == "incomplete") {
      if (value)
        found(output_finding::partial, path + " is true");
      return;
    }
    if (key == "pending" || key == "queued") {
      if (value && key == "pending")
        found(output_finding::pending, path + " is true");
      return;
    }
    if (value) {
      says_fine_ = says_fine_ || proofs().contains(key);
      return;
    }
    if (proofs().contains(key) || (!harmless().contains(key) && has_reason(in))) {
      auto refused = key == "eligible" || key == "allowed" || key == "permitted";
      found(refused ? output_finding::refused : output_finding::failed, path + " is false");
    }
  }

  static bool has_reason(const json::object& in) {
    return std::any_of(in.begin(), in.end(), [](const auto& one) {
      return one.value().is_string() && !one.value().get_string().empty()
             && tellings().contains(lower(std::string_view{one.key()}));
    });
  }

  void read_text(const std::string& key, std::string_view text, const std::string& path) {
    auto short_text = lower(utf8::prefix(text, line_bytes));
    if (states().contains(key)) {
      if (bad_states().contains(short_text) || has_any(short_text, failing)) {
        found(output_finding::failed, path + " is " + utf8::shortened(text, quoted_bytes));
        return;
      }
      if (unfinished_states().contains(short_text) || begins_unfinished(short_text)) {
        result_.may_count = counting_states().contains(short_text);
        found(output_finding::pending, path + " is " + utf8::shortened(text, quoted_bytes));
        return;
      }
      if (!good_states().contains(short_text) && seems_to_fail(short_text)) {
        found(output_finding::failed, path + " is " + utf8::shortened(text, quoted_bytes));
        return;
      }
      says_fine_ = says_fine_ || !text.empty();
      return;
    }
    if (!tellings().contains(key)) {
      says_fine_ = says_fine_ || !text.empty();
      return;
    }
    read_telling(key, text, path);
  }

  /// Whether lines of a text tell of a failure: all of them, or some among others that do not.
  void read_telling(const std::string& key, std::string_view value, const std::string& path) {
    auto text = lower(utf8::prefix(value, text_bytes));
    auto bad = failing_lines(text);
    auto lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    if (!text.empty() && text.back() == '\n')
      --lines;
    if (bad.empty() && lines == 1 && is_said_to_fail(key, text))
      bad.push_back(text);
    if (bad.empty()) {
      says_fine_ = says_fine_ || !text.empty();
      return;
    }
    // A text that was asked for may speak of failures.
    auto is_prose = key == "text" || key == "body" || key == "response" || key == "description";
    if (is_prose && (lines > 1 || !(bad[0].starts_with("error") || bad[0].starts_with("fehler"))))
      return;
    found(bad.size() < lines ? output_finding::partial : output_finding::failed,
      path + ": " + utf8::shortened(bad[0], quoted_bytes));
  }

  static std::vector<std::string> failing_lines(const std::string& text) {
    std::set<size_t> begins;
    for (auto phrase : failing)
      for (auto at = text.find(phrase); at != std::string::npos && begins.size() < max_lines;
           at = text.find(phrase, at + 1)) {
        auto before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
        begins.insert(before == std::string::npos ? 0 : before + 1);
      }
    std::vector<std::string> result;
    for (auto at : begins) {
      std::string line{
        utf8::prefix(std::string_view{text}.substr(at, text.find('\n', at) - at), line_bytes)};
      if (!has_any(line, excused))
        result.push_back(std::move(line));
    }
    return result;
  }

  static bool is_said_to_fail(const std::string& key, const std::string& line) {
    if (key != "message" && key != "msg" && key != "meldung" && key != "mensaje" && key != "stderr")
      return false;
    return seems_to_fail(line);
  }

  static bool seems_to_fail(const std::string& text) {
    auto seen = language::output().classify(text);
    return seen.name == "failed" && seen.probability >= certain;
  }

  static bool begins_unfinished(const std::string& text) {
    return text.starts_with("awaiting ") || text.starts_with("waiting ")
           || text.starts_with("pending ") || text.starts_with("in progress")
           || text.starts_with("queued ") || text.starts_with("scheduled for");
  }

  void read_list(
    const std::string& key, const json::array& list, size_t depth, const std::string& path) {
    if (complaints().contains(key))
      return; // an empty one
    result_.has_list = true;
    result_.entries = std::max(result_.entries, list.size());
    size_t bad = 0;
    std::string first;
    for (const auto& one : list) {
      if (++members_ > max_members || depth >= max_depth)
        break;
      if (!one.is_object())
        continue;
      auto inner = reader{}.read(one.get_object());
      if (inner.finding <= output_finding::pending && ++bad == 1)
        first = inner.reason;
    }
    if (bad > 0)
      found(
        bad < list.size() ? output_finding::partial : output_finding::failed, path + ": " + first);
    else if (list.empty())
      empty_reason_ = path + " is empty";
    else
      says_fine_ = true;
  }

  /// "180 of 200": a count and a greater one of what there is to do.
  void read_number(
    const json::object& in, const std::string& key, double value, const std::string& path) {
    static const word_set wholes{
      "of", "total", "expected", "requested", "von", "gesamt", "sur", "wanted", "planned", "goal"};
    static const word_set parts{"done", "fetched", "processed", "imported", "loaded", "sent",
      "copied", "completed", "succeeded", "uploaded", "downloaded", "saved", "transferred",
      "collected", "delivered", "updated", "migrated", "indexed", "converted", "moved", "written"};
    if (parts.contains(key))
      for (const auto& one : in)
        if (wholes.contains(lower(std::string_view{one.key()})) && one.value().is_number()
            && one.value().to_number<double>() > value)
          found(output_finding::partial, path + " is less than " + std::string{one.key()});
    static const word_set counts{"count", "hits", "matches", "total", "results", "found", "treffer",
      "anzahl", "rows", "resultados", "résultats", "total_count", "数量", "件数"};
    static const word_set left{"remaining", "left", "todo", "outstanding", "unprocessed", "skipped",
      "unfinished", "restantes", "übrig"};
    auto has_part = std::any_of(in.begin(), in.end(), [&](const auto& one) {
      auto name = lower(std::string_view{one.key()});
      return parts.contains(name) || name.ends_with("ed");
    });
    if (left.contains(key) && value > 0 && has_part)
      found(output_finding::partial, path + " is more than 0");
    if ((key == "progress" || key == "percent" || key == "percentage")
        && (value < 1 || (value > 1 && value < 100)))
      found(output_finding::pending, path + " is not the end");
    if (counts.contains(key) && value == 0)
      empty_reason_ = path + " is 0";
    else
      says_fine_ = true;
  }

  void settle() {
    if (!code_reason_.empty()) {
      found(output_finding::failed, code_reason_);
    }
    if (result_.finding < output_finding::empty)
      return;
    if (!empty_reason_.empty() && result_.entries == 0)
      found(output_finding::empty, empty_reason_);
    else if (says_fine_)
      found(output_finding::fine, {});
  }

  output_reading result_;
  bool says_fine_ = false;
  std::string code_reason_;
  std::string empty_reason_;
  size_t members_ = 0;
};

} // namespace

output_reading read_outputs(const json::object& outputs) {
  return reader{}.read(outputs);
}

} // namespace scratchpage
