#include "scratchpage/actors/policies/output_reading.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

#include "scratchpage/actors/language/classifiers.hpp"
#include "scratchpage/actors/language/part_list.hpp"
#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/output_words.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

using policies::word_set;

constexpr size_t max_depth = 4;           // of members within members
constexpr size_t max_members = 500;       // of outputs that are read
constexpr size_t quoted_value_bytes = 80; // of a value that a reason names
constexpr size_t text_bytes = 65'536;     // of a text that are read
constexpr size_t max_lines = 200;         // of a text, that tell of a failure
constexpr size_t line_bytes = 200;        // of a line
constexpr double believed = 0.8;          // of the classifier, from here on it is believed

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
    auto text = in_lower_case(std::string_view{x.get_string()});
    return text != "none" && text != "no" && text != "false" && text != "0" && text != "ok";
  }
  return true;
}

/// Whether one of the words of a member's name, such as "rows_written", is in the set.
bool has_word(std::string_view key, const word_set& words) {
  for (size_t begin = 0; begin <= key.size();) {
    auto end = std::min(key.find('_', begin), key.size());
    if (words.contains(key.substr(begin, end - begin)))
      return true;
    begin = end + 1;
  }
  return false;
}

/// Members that count or list what is done.
const word_set& done_parts() {
  static const word_set result{"done", "fetched", "processed", "imported", "loaded", "sent",
    "copied", "completed", "succeeded", "uploaded", "downloaded", "saved", "transferred",
    "collected", "delivered", "updated", "migrated", "indexed", "converted", "moved", "written"};
  return result;
}

/// Whether a name ends as the participles of several languages do: "copied", "kopiert",
/// "convertidas", "envoyées".
bool ends_done(std::string_view name) {
  constexpr std::string_view ends[] = {"ed", "iert", "ado", "ada", "ados", "adas", "ido", "ida",
    "idos", "idas", "é", "ée", "és", "ées", "完成", "完了", "済み", "済"};
  return name.starts_with("ge") || name.starts_with("已")
         || std::any_of(std::begin(ends), std::end(ends),
           [&](std::string_view one) { return name.ends_with(one); });
}

/// What a person has to give before something goes on.
bool is_up_to_person(std::string_view key, std::string_view text) {
  static const word_set keys{"needs", "need", "needed", "requires", "required", "requirement",
    "action_required", "required_action", "next_action", "waiting_for", "waiting_on", "awaiting",
    "benötigt", "erfordert", "wartet_auf", "necesita", "requiere", "nécessite", "requiert",
    "attend", "需要", "必要"};
  static const part_list things{"confirm", "approv", "authori", "sign", "pin", "password",
    "passcode", "otp", "2fa", "code", "login", "log in", "payment", "consent", "user", "bestätig",
    "freigabe", "unterschrift", "passwort", "anmeld", "zahlung", "aprob", "autoriz", "firma",
    "contraseña", "pago", "valid", "mot de passe", "paiement", "确认", "批准", "签", "密码", "验证",
    "確認", "承認", "署名", "認証", "暗証"};
  return keys.contains(key) && things.occurs_in(text);
}

/// Whether a member tells of a part that is done, beside which others tell of what is left.
bool has_done_part(const json::object& in) {
  return std::any_of(in.begin(), in.end(), [](const auto& one) {
    auto name = in_lower_case(std::string_view{one.key()});
    return done_parts().contains(name) || ends_done(name);
  });
}

/// Collects what the members say; the worst finding wins, and of equal ones the first.
class output_reader {
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
      read_member(x, in_lower_case(name), one.value(), depth, path + name);
    }
  }

  void read_member(const json::object& in, const std::string& key, const json::value& value,
    size_t depth, const std::string& path) {
    if (policies::complaints().contains(key) && complains(value)) {
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
      read_list(in, key, value.get_array(), depth, path);
    else if (value.is_object() && depth < max_depth)
      read_members(value.get_object(), depth + 1, path + ".");
    else if (value.is_null()
             && (policies::receipts().contains(key)
                 || (!policies::nothings().contains(key) && has_reason(in))))
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
      return &one.value() != &value
             && !policies::complaints().contains(in_lower_case(std::string_view{one.key()}))
             && ((one.value().is_number() && one.value().template to_number<double>() > 0)
                 || (one.value().is_array() && !one.value().get_array().empty()));
    });
    auto counts = value.is_array() || value.is_number();
    result_.is_error = result_.is_error || path == "error" || path == "exception";
    found(counts && others ? output_finding::partial : output_finding::failed,
      path + ": "
        + utf8::shortened(value.is_string() ? std::string{value.get_string()} : to_text(value),
          quoted_value_bytes));
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
      says_fine_ = says_fine_ || policies::proofs().contains(key);
      return;
    }
    if (policies::proofs().contains(key)
        || (!policies::harmless().contains(key) && has_reason(in))) {
      auto refused = key == "eligible" || key == "allowed" || key == "permitted";
      found(refused ? output_finding::refused : output_finding::failed, path + " is false");
    }
  }

  static bool has_reason(const json::object& in) {
    return std::any_of(in.begin(), in.end(), [](const auto& one) {
      return one.value().is_string() && !one.value().get_string().empty()
             && policies::tellings().contains(in_lower_case(std::string_view{one.key()}));
    });
  }

  void read_text(const std::string& key, std::string_view text, const std::string& path) {
    auto short_text = in_lower_case(utf8::prefix(text, line_bytes));
    if (policies::states().contains(key)) {
      if (policies::bad_states().contains(short_text)
          || has_part(short_text, policies::failing())) {
        found(output_finding::failed, path + " is " + utf8::shortened(text, quoted_value_bytes));
        return;
      }
      if (policies::unfinished_states().contains(short_text) || begins_unfinished(short_text)) {
        result_.may_count = policies::counting_states().contains(short_text);
        found(output_finding::pending, path + " is " + utf8::shortened(text, quoted_value_bytes));
        return;
      }
      if (!policies::good_states().contains(short_text))
        if (auto said = said_by(short_text); said && *said < output_finding::fine) {
          found(*said, path + " is " + utf8::shortened(text, quoted_value_bytes));
          return;
        }
      says_fine_ = says_fine_ || !text.empty();
      return;
    }
    if (is_up_to_person(key, short_text)) {
      found(output_finding::pending, path + " is " + utf8::shortened(text, quoted_value_bytes));
      return;
    }
    if (!policies::tellings().contains(key)) {
      if (policies::plainly_bad().contains(short_text))
        found(output_finding::failed, path + " is " + utf8::shortened(text, quoted_value_bytes));
      else if (policies::plainly_unfinished().contains(short_text))
        found(output_finding::pending, path + " is " + utf8::shortened(text, quoted_value_bytes));
      says_fine_ = says_fine_ || !text.empty();
      return;
    }
    read_telling(key, text, path);
  }

  /// Whether lines of a text tell of a failure: all of them, or some among others that do not.
  void read_telling(const std::string& key, std::string_view value, const std::string& path) {
    auto text = in_lower_case(utf8::prefix(value, text_bytes));
    auto bad = failing_lines(text);
    auto lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    if (!text.empty() && text.back() == '\n')
      --lines;
    auto said = bad.empty() && lines == 1 && is_message(key) ? said_by(text) : std::nullopt;
    if (said && *said < output_finding::fine) {
      found(*said, path + ": " + utf8::shortened(value, quoted_value_bytes));
      return;
    }
    if (bad.empty()) {
      says_fine_ = says_fine_ || !text.empty();
      return;
    }
    // A text that was asked for may speak of failures.
    auto is_prose = key == "text" || key == "body" || key == "response" || key == "description";
    if (is_prose && (lines > 1 || !(bad[0].starts_with("error") || bad[0].starts_with("fehler"))))
      return;
    auto is_worse = result_.finding > output_finding::partial;
    result_.is_told = bad.size() < lines && (is_worse || result_.is_told);
    found(bad.size() < lines ? output_finding::partial : output_finding::failed,
      path + ": " + utf8::shortened(bad[0], quoted_value_bytes));
  }

  static std::vector<std::string> failing_lines(const std::string& text) {
    std::set<size_t> begins;
    for (auto phrase : policies::failing())
      for (auto at = text.find(phrase); at != std::string::npos && begins.size() < max_lines;
           at = text.find(phrase, at + 1)) {
        auto before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
        begins.insert(before == std::string::npos ? 0 : before + 1);
      }
    std::vector<std::string> result;
    for (auto at : begins) {
      std::string line{
        utf8::prefix(std::string_view{text}.substr(at, text.find('\n', at) - at), line_bytes)};
      if (!has_part(line, policies::excused()))
        result.push_back(std::move(line));
    }
    return result;
  }

  /// Whether the text of a member tells a person how it went, rather than being what was asked for.
  static bool is_message(const std::string& key) { return policies::messages().contains(key); }

  /// What a text tells by what it means, if that is certain.
  static std::optional<output_finding> said_by(const std::string& text) {
    auto seen = language::output().classify(text);
    if (seen.probability < believed)
      return std::nullopt;
    return seen.name == "failed"    ? output_finding::failed
           : seen.name == "partial" ? output_finding::partial
           : seen.name == "pending" ? output_finding::pending
           : seen.name == "empty"   ? output_finding::empty
                                    : output_finding::fine;
  }

  static bool begins_unfinished(const std::string& text) {
    return text.starts_with("awaiting ") || text.starts_with("waiting ")
           || text.starts_with("pending ") || text.starts_with("in progress")
           || text.starts_with("queued ") || text.starts_with("scheduled for");
  }

  void read_list(const json::object& in, const std::string& key, const json::array& list,
    size_t depth, const std::string& path) {
    if (policies::complaints().contains(key))
      return; // an empty one
    if (policies::leftovers().contains(key) && !list.empty() && has_done_part(in)) {
      found(output_finding::partial, path + " has " + std::to_string(list.size()));
      return;
    }
    result_.has_list = true;
    result_.entries = std::max(result_.entries, list.size());
    size_t bad = 0;
    std::string first;
    for (const auto& one : list) {
      if (++members_ > max_members || depth >= max_depth)
        break;
      if (!one.is_object())
        continue;
      auto inner = output_reader{}.read(one.get_object());
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
    if (has_word(key, done_parts()))
      for (const auto& one : in)
        if (has_word(in_lower_case(std::string_view{one.key()}), wholes) && one.value().is_number()
            && one.value().to_number<double>() > value)
          found(output_finding::partial, path + " is less than " + std::string{one.key()});
    static const word_set counts{"count", "hits", "matches", "total", "results", "found", "treffer",
      "anzahl", "rows", "resultados", "résultats", "total_count", "available", "in_stock",
      "verfügbar", "disponibles", "disponible", "数量", "件数", "空席", "余票", "库存", "在庫"};
    if (policies::leftovers().contains(key) && value > 0 && has_done_part(in))
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
  return output_reader{}.read(outputs);
}

} // namespace scratchpage
