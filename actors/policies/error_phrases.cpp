#include <algorithm>
#include <cctype>
#include <string>

#include "scratchpage/actors/policies/error_reading.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

using enum error_class;

constexpr size_t read_bytes = 2'048; // of an error

struct group {
  error_class kind;
  std::vector<std::string_view> phrases;
};

/// Phrases in lower case, those that decide first at the top. One that ends in `*` stands for all
/// endings; others are whole words, where a script has spaces.
const std::vector<group>& groups() {
  static const std::vector<group> result{
    {transient,
      {"rate limit*", "ratelimit*", "rate-limit*", "too many requests", "throttl*",
        "requests per second", "requests per minute", "slow down", "zu viele anfragen",
        "demasiadas solicitudes", "demasiadas peticiones", "trop de requêtes", "请求过于频繁",
        "请求次数过多", "操作过于频繁", "リクエストが多すぎ", "アクセスが集中"}},
    {invalid_input,
      {"timeout must", "timeout should", "invalid timeout", "unknown option", "unrecognized option",
        "unknown flag", "unrecognized argument*", "unexpected argument", "unsupported argument",
        "syntax error", "parse error", "unexpected token", "not a valid", "is not valid",
        "invalid value", "invalid argument*", "invalid option", "invalid format", "wrong format",
        "missing required", "is required", "required field*", "must be", "must not", "must have",
        "must contain", "does not match the pattern", "unsupported format", "out of range",
        "maximum context length", "division of zero", "cannot be empty", "may not be empty",
        "can't be blank", "cannot be blank", "schema validation", "ungültig*", "pflichtfeld",
        "muss angegeben", "darf nicht leer", "falsches format", "syntaxfehler", "no es válid*",
        "no válid*", "inválid*", "formato incorrecto", "campo obligatorio", "es obligatori*",
        "debe ser", "error de sintaxis", "non valide", "invalide", "n'est pas valide",
        "champ obligatoire", "est obligatoire", "est requis*", "doit être", "erreur de syntaxe",
        "格式错误", "格式不正确", "格式无效", "参数错误", "参数无效", "无效的", "不能为空", "必填",
        "语法错误", "超出范围", "不合法", "形式が正しくありません", "形式が不正", "無効な",
        "不正な値", "必須", "入力してください", "正しくありません", "構文エラー", "範囲外"}},
    {permission,
      {"permission denied", "permissions", "no permission", "not permitted", "access denied",
        "access is denied", "forbidden", "unauthori*", "not authori*", "not authenticated",
        "authentication failed", "authentication required", "login required", "please log in",
        "please sign in", "must be logged in", "not logged in", "not allowed to", "privilege*",
        "credential*", "token expired", "token has expired", "expired token", "session expired",
        "session has expired", "invalid token", "invalid api key", "incorrect api key",
        "api key is*", "wrong password", "wrong pin", "incorrect password", "quota", "declined",
        "do not honor", "insufficient scope", "read-only", "read only", "subscribers only",
        "limited to subscribers", "paywall", "upgrade your plan", "requires a subscription",
        "admin rights", "administrator rights", "only administrators", "only the owner",
        "not the owner", "sudo", "zugriff verweigert", "keine berechtigung", "nicht berechtigt",
        "berechtigung*", "nicht autorisiert", "nicht angemeldet", "sitzung abgelaufen",
        "anmeldung fehlgeschlagen", "kontingent", "acceso denegado", "permiso*", "no autorizad*",
        "sesión ha caducado", "sesión caducada", "sesión expirada", "cuota", "accès refusé",
        "accès interdit", "non autorisé*", "pas autorisé*", "droits insuffisants",
        "droits nécessaires", "réservé aux", "session expirée", "session a expiré", "权限", "无权",
        "未授权", "拒绝访问", "访问被拒绝", "禁止访问", "未登录", "登录已过期", "配额", "請先登录",
        "请先登录", "密码错误", "権限", "アクセスが拒否", "許可されていません", "認証に失敗",
        "ログインしてください", "セッションの有効期限", "上限に達し"}},
    {other,
      {"already exists", "already been", "already in use", "already taken", "already booked",
        "already running", "has just been taken", "just been taken", "no longer available",
        "duplicate key", "duplicate entry", "unique constraint", "merge conflict", "conflict*",
        "no space left", "disk full", "disk is full", "out of memory", "out of paper", "paper jam*",
        "jammed", "sold out", "out of stock", "fully booked", "segmentation fault", "core dumped",
        "stack overflow", "nullpointer", "null pointer", "panic", "traceback", "assertion failed",
        "checksum mismatch", "certificate verify", "certificate has expired",
        "self-signed certificate", "is encrypted", "is full", "is stuck", "got stuck", "is empty",
        "low battery", "battery low", "battery too low", "door is open", "door open",
        "door is not closed", "emergency stop", "obstacle", "collision", "overheat*", "too hot",
        "hardware fault", "bereits vergeben", "bereits vorhanden", "existiert bereits",
        "schon vergeben", "schon gebucht", "ausgebucht", "ausverkauft", "kein speicherplatz",
        "speicher voll", "papierstau", "klemmt", "blockiert", "ya existe", "ya no está libre",
        "ya está ocupad*", "agotad*", "sin existencias", "disco lleno", "atascad*", "existe déjà",
        "déjà pris", "déjà réservé", "déjà utilisé", "complet", "épuisé*", "rupture de stock",
        "disque plein", "bourrage", "bloqué*", "已存在", "已被占用", "已售罄", "售罄", "缺货",
        "已满", "空间不足", "内存不足", "卡住", "卡纸", "电量不足", "満席", "満室", "売り切れ",
        "在庫切れ", "在庫がありません", "既に存在", "すでに存在", "空き容量", "紙詰まり",
        "詰まっています", "メモリ不足", "電池残量"}},
    {timeout,
      {"timed out", "time out", "timeout", "time-out", "timeouts", "deadline exceeded",
        "took too long", "no response within", "no reply within", "did not respond within",
        "did not answer within", "did not respond in time", "no answer in time",
        "statement timeout", "within the time limit", "time limit exceeded", "zeitüberschreitung",
        "zeitlimit", "antwortet nicht", "keine antwort", "dauerte zu lange", "tiempo de espera",
        "tiempo agotado", "no responde", "no respondió", "tardó demasiado", "délai d'attente",
        "délai dépassé", "ne répond pas", "n'a pas répondu", "temps écoulé", "超时", "逾时",
        "未响应", "没有响应", "无响应", "タイムアウト", "応答がありません", "応答しません",
        "時間切れ"}},
    {transient,
      {"temporar*", "try again", "try later", "retry later", "retry after", "unavailable",
        "connection reset", "connection refused", "connection lost", "connection closed",
        "connection aborted", "connection was closed", "connection error", "connection failed",
        "network error", "network is unreachable", "network unreachable", "no route to host",
        "host is unreachable", "broken pipe", "socket hang up", "unexpected eof", "overloaded",
        "server busy", "is busy", "device busy", "resource busy", "under maintenance",
        "maintenance", "is locked", "database is locked", "deadlock*", "could not obtain lock",
        "could not get lock", "lock request", "unable to obtain exclusive", "too many connections",
        "temporary failure", "bad gateway", "internal server error", "service is down",
        "is offline", "went offline", "not reachable", "unreachable", "could not connect",
        "cannot connect", "failed to connect", "lost connection", "vorübergehend", "später erneut",
        "später noch einmal", "nicht erreichbar", "nicht verfügbar", "überlastet",
        "verbindung unterbrochen", "verbindung abgebrochen", "verbindung verloren",
        "verbindung verweigert", "wartungsarbeiten", "temporalmente", "más tarde",
        "inténtelo de nuevo", "intente de nuevo", "conexión rechazada", "conexión perdida",
        "conexión interrumpida", "fuera de línea", "en mantenimiento", "sobrecargad*",
        "temporairement", "réessayez", "réessayer", "plus tard", "connexion refusée",
        "connexion perdue", "connexion interrompue", "hors ligne", "en maintenance", "surchargé*",
        "injoignable", "indisponible", "稍后", "重试", "暂时", "繁忙", "离线", "连接被重置",
        "连接被拒绝", "连接中断", "网络错误", "维护", "不可用", "しばらくして", "もう一度お試し",
        "再度お試し", "一時的", "混み合って", "混雑", "オフライン", "接続が切断", "接続が拒否",
        "接続できません", "メンテナンス", "通信エラー"}},
    {not_found,
      {"not found", "cannot be found", "could not be found", "couldn't be found", "can't find",
        "cannot find", "could not find", "couldn't find", "no such", "does not exist",
        "doesn't exist", "do not exist", "did not exist", "no match*", "nothing found",
        "no results", "unable to find", "unable to locate", "cannot locate", "could not locate",
        "unknown host", "unknown device", "unknown user", "unknown id", "no longer exists",
        "has been deleted", "was deleted", "nicht gefunden", "nicht vorhanden", "existiert nicht",
        "unbekannt*", "gibt es nicht", "nicht auffindbar", "no encontrad*", "no se encontr*",
        "no se ha encontrado", "no existe", "desconocid*", "introuvable*", "n'existe pas",
        "inconnu*", "aucun résultat", "pas trouvé*", "找不到", "未找到", "不存在", "没有找到",
        "查无", "无此", "见つかりません", "見つかりません", "存在しません", "見当たりません",
        "該当する", "登録されていません"}},
    {invalid_input,
      {"invalid", "malformed", "missing", "unsupported", "not supported", "not a number",
        "too long", "too short", "too large", "exceeds the maximum", "exceeds maximum", "expected",
        "in the past", "does not add up", "cannot be used", "too small", "fehlt", "erwartet",
        "zu lang", "zu kurz", "zu groß", "falta", "demasiado larg*", "demasiado grande",
        "manquant*", "trop long*", "trop grand*", "缺少", "过长", "过大", "不支持", "長すぎ",
        "大きすぎ", "対応していません", "サポートされていません"}},
  };
  return result;
}

std::string in_lower_case(std::string_view text) {
  std::string result{text};
  for (size_t i = 0; i < result.size(); ++i) {
    if (result[i] >= 'A' && result[i] <= 'Z')
      result[i] = static_cast<char>(result[i] - 'A' + 'a');
    if (result.compare(i, 3, "\xE2\x80\x99") == 0) // a typographic apostrophe
      result.replace(i, 3, "'");
  }
  return result;
}

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// Whether `text` has `phrase`, as whole words at those ends that are ASCII.
bool has(const std::string& text, std::string_view phrase) {
  auto open_end = phrase.ends_with('*');
  if (open_end)
    phrase.remove_suffix(1);
  for (auto at = text.find(phrase); at != std::string::npos; at = text.find(phrase, at + 1)) {
    auto end = at + phrase.size();
    auto begins = at == 0 || !is_letter(phrase.front()) || !is_letter(text[at - 1]);
    auto ends =
      open_end || end >= text.size() || !is_letter(phrase.back()) || !is_letter(text[end]);
    if (begins && ends)
      return true;
  }
  return false;
}

} // namespace

std::optional<error_class> class_by_phrase(std::string_view error) {
  auto text = in_lower_case(utf8::prefix(error, read_bytes));
  for (const auto& one : groups())
    if (std::any_of(one.phrases.begin(), one.phrases.end(),
          [&](std::string_view phrase) { return has(text, phrase); }))
      return one.kind;
  return std::nullopt;
}

bool leaves_outcome_open(std::string_view error, error_class kind) {
  if (kind == timeout)
    return true;
  static const std::vector<std::string_view> lost{"connection reset", "connection lost",
    "lost connection", "connection closed", "connection was closed", "connection aborted",
    "broken pipe", "hang up", "econnreset", "epipe", "eof", "interrupted", "disconnect*",
    "outcome is unknown", "outcome unknown", "state is unknown", "status is unknown",
    "unterbrochen", "abgebrochen", "verloren", "interrumpida", "perdida", "interrompue", "perdue",
    "中断", "被重置", "切断"};
  auto text = in_lower_case(utf8::prefix(error, read_bytes));
  return kind == transient && std::any_of(lost.begin(), lost.end(), [&](std::string_view phrase) {
    return has(text, phrase);
  });
}

} // namespace scratchpage
