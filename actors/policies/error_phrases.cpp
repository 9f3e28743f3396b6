#include <algorithm>
#include <cctype>
#include <string>

#include "scratchpage/actors/language/words.hpp"
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
const std::vector<group>& phrase_groups() {
  static const std::vector<group> result{
    // too much at once, or something else is at work: also as 403 or "quota per minute"
    {transient,
      {"too many clients", "another git", "process seems to be running", "text file busy",
        "exclusive access", "exclusive lock", "rate limit*", "ratelimit*", "rate-limit*",
        "rate_limit*", "too many requests", "too many concurrent", "throttl*", "rate exceeded",
        "request rate", "rate of requests", "requests per second", "requests per minute",
        "queries per minute", "queries per second", "calls per minute", "tokens per min",
        "tokens per minute", "per minute per user", "per second per", "limit per minute",
        "limit per second", "per-minute", "slow down", "flood control", "concurrency limit",
        "concurrent requests", "concurrent connections", "too quickly", "too fast",
        "another process", "another operation", "another instance", "another transaction",
        "another user is", "another job", "another print", "used by another", "already in progress",
        "queue is full", "is being used by", "held by process", "greylist*", "zu viele anfragen",
        "anfragelimit", "ein anderer prozess", "demasiadas solicitudes", "demasiadas peticiones",
        "límite de solicitudes", "otro proceso", "trop de requêtes", "limite de requêtes",
        "un autre processus", "请求过于频繁", "请求次数过多", "操作过于频繁", "频率限制",
        "访问频率", "限流", "另一个进程", "リクエストが多すぎ", "アクセスが集中", "レート制限",
        "他のプロセス", "別のプロセス"}},
    // of requirements and of what is invalid, those that only somebody with a right can give
    {permission,
      {"authentication is required", "authentication required", "authorization is required",
        "authorization required", "authorisation required", "login is required", "login required",
        "approval is required", "approval required", "permission is required",
        "is required to access", "must be logged in", "must be signed in", "must be authenticated",
        "must be authorized", "must be authorised", "must be an admin*", "must be the owner",
        "must be approved", "must be verified", "must log in", "must sign in", "must authenticate",
        "requires authentication", "requires login", "requires approval", "requires a login",
        "requires a subscription", "requires admin*", "requires elevat*", "requires root",
        "requires permission", "requires the permission", "requires manager", "invalid token",
        "token is invalid", "token is not valid", "invalid access token", "invalid api key",
        "api key is not valid", "invalid credentials", "invalid password", "invalid username",
        "invalid user name", "invalid login", "invalid_grant", "invalid_client", "invalid_token",
        "invalid session", "invalid refresh token", "invalid bearer", "unsupported_grant_type",
        "unauthorized_client", "insufficient_scope", "access_denied", "insufficient_funds",
        "card_declined", "expired_card", "authentication_required", "payment required",
        "signature does not match", "csrf", "xsrf", "two-factor", "two factor", "2fa", "mfa",
        "one-time code", "captcha", "3d secure", "3ds", "strong customer authentication",
        "age verification"}},
    // what is wrong with the inputs
    {invalid_input,
      {"timeout must", "timeout should", "invalid timeout", "unknown option", "unrecognized option",
        "unrecognised option", "illegal option", "invalid option", "no such option", "unknown flag",
        "unknown switch", "unrecognized argument*", "unrecognised argument*", "unexpected argument",
        "unsupported argument", "unknown parameter", "unknown argument", "unknown field",
        "unknown property", "unknown attribute", "unexpected keyword", "unexpected parameter",
        "unexpected field", "extra fields", "extra inputs", "additional properties", "syntax error",
        "invalid syntax", "parse error", "parsing error", "cannot parse", "could not parse",
        "couldn't parse", "failed to parse", "unable to parse", "unexpected token", "unterminated",
        "unmarshal", "deserializ*", "can't decode", "cannot decode", "bad request", "not a valid",
        "is not valid", "not valid json", "invalid json", "invalid value", "invalid argument*",
        "invalid format", "invalid input", "invalid parameter", "invalid date", "invalid email",
        "invalid number", "bad value", "bad format", "bad argument", "wrong format", "wrong type",
        "type mismatch", "incorrect format", "incorrect type", "does not match format",
        "does not match the pattern", "does not match pattern", "missing required",
        "missing argument", "missing parameter", "missing field", "missing operand",
        "missing value", "missing property", "missing script", "required field*",
        "required parameter", "field required", "required property", "no value given", "must start",
        "must end", "must match", "must specify", "must provide", "should be a", "should be an",
        "unsupported format", "unsupported media", "unsupported file", "out of range",
        "not in range", "maximum context length", "context length", "context window", "max_tokens",
        "cannot be used", "can not be used", "can't be used", "do not add up", "does not add up",
        "cannot be empty", "may not be empty", "must not be empty", "can't be empty",
        "can't be blank", "cannot be blank", "cannot be null", "not-null constraint",
        "not null constraint", "violates check", "check constraint", "foreign key constraint",
        "value too long", "too long for", "data too long", "too many arguments",
        "too few arguments", "not enough arguments", "expects at least", "at least one of",
        "expected integer", "expected string", "expected a number", "expected type",
        "schema validation", "validation failed", "validation error", "failed validation", "luhn",
        "check digit", "iban", "card number is in*", "number is incorrect", "code is incorrect",
        "incorrect cvc", "security code", "minimum amount", "size exceeds",
        "exceeds the maximum size", "maximum size", "file size", "not a number", "not an integer",
        "no such parameter", "ungültig*", "pflichtfeld", "muss angegeben", "darf nicht leer",
        "falsches format", "syntaxfehler", "muss eine", "muss ein", "muss größer", "muss kleiner",
        "muss zwischen", "nicht lesbar", "liegt in der vergangenheit", "kein gültig*",
        "no es válid*", "no válid*", "inválid*", "formato incorrecto", "campo obligatorio",
        "es obligatori*", "debe ser", "debe estar", "debe contener", "error de sintaxis",
        "no tiene el formato", "es incorrect*", "faltan datos", "non valide", "invalide",
        "n'est pas valide", "champ obligatoire", "est obligatoire", "est requis*", "doit être",
        "doit contenir", "erreur de syntaxe", "mauvais format", "format incorrect",
        "est incorrect*", "est dans le passé", "格式错误", "格式不正确", "格式无效", "格式应为",
        "格式有误", "参数错误", "参数无效", "参数不正确", "无效的", "不能为空", "必填", "必须是",
        "必须为", "必须大于", "语法错误", "超出范围", "不合法", "不正确", "形式が正しくありません",
        "形式が不正", "無効な", "不正な値", "必須", "入力してください", "正しくありません",
        "構文エラー", "範囲外", "でなければなりません", "以上で指定", "半角で"}},
    // who may do it, who pays, and what a bank or a provider refuses
    {permission,
      {"permission denied", "permissions", "permission to", "no permission", "not permitted",
        "access denied", "access is denied", "access was denied", "access forbidden", "no access",
        "have access", "forbidden", "unauthori*", "unauthenticated", "not authori*",
        "not authenticated", "authentication failed", "authentication failure",
        "failed to authenticate", "password authentication", "could not authenticate",
        "authorization failed", "please log in", "please login", "please sign in", "not logged in",
        "not signed in", "log in again", "login again", "sign in again", "sign in to", "log in to",
        "not allowed to", "disallowed", "privilege*", "credential*", "publickey",
        "host key verification", "token expired", "token has expired", "token has been expired",
        "token is expired", "expired token", "token has been revoked", "token revoked", "revoked",
        "jwt expired", "session expired", "session has expired", "session is expired",
        "session timed out", "session has timed out", "session has ended", "login has expired",
        "incorrect api key", "api key is*", "api key not*", "wrong password", "wrong pin",
        "incorrect pin", "incorrect password", "username and password not", "user name or password",
        "username or password", "quota", "usage limit", "spending limit", "monthly limit",
        "daily limit", "day limit", "requests per day", "transfer limit", "withdrawal limit",
        "credit limit", "limit of your", "over your limit", "limit for your plan", "hard limit",
        "plan and billing", "billing", "free tier", "declined", "do not honor", "do not honour",
        "insufficient funds", "not sufficient funds", "insufficient balance", "not enough funds",
        "not enough credit", "credit balance", "card expired", "card has expired", "expired card",
        "card is blocked", "card blocked", "lost card", "stolen card", "suspected fraud",
        "refused by the issuer", "refused by the bank", "issuer refused", "bank refused",
        "bank rejected", "issuer rejected", "blocked by your bank", "insufficient scope",
        "insufficient permission*", "insufficient rights", "read-only", "read only",
        "write-protected", "write protected", "paywall", "subscription", "premium",
        "upgrade your plan", "your plan", "paid plan", "not entitled", "entitlement",
        "admin rights", "administrator rights", "only administrators", "only admins",
        "only the owner", "only owners", "only members", "members only", "not the owner",
        "not a member", "not a collaborator", "reserved for members", "reserved for staff",
        "restricted to", "restricted", "sudo", "superuser", "as root", "are you root",
        "needs approval", "need approval", "awaiting approval", "not approved", "consent",
        "not verified", "verify your", "unverified", "account suspended", "account is suspended",
        "suspended", "account locked", "account is locked", "account has been locked",
        "access has been locked", "locked after", "locked due to", "failed attempts",
        "wrong attempts", "too many attempts", "account disabled", "account is disabled",
        "account has been disabled", "deactivated", "banned", "blacklist*", "blocklist*",
        "whitelist*", "allowlist*", "allow list", "blocked by policy", "by policy",
        "policy violation", "content policy", "relaying denied", "relay access denied", "as spam",
        "operation not permitted", "zugriff verweigert", "zugang verweigert", "keine berechtigung",
        "nicht berechtigt", "berechtigung*", "keine rechte", "rechte für", "nicht autorisiert",
        "nicht erlaubt", "nicht angemeldet", "melden sie sich an", "sitzung abgelaufen",
        "sitzung ist abgelaufen", "anmeldung fehlgeschlagen", "anmeldung erforderlich",
        "kontingent", "abgelehnt", "karte gesperrt", "konto gesperrt", "falsches passwort",
        "nur für", "limit überschritten", "nicht genügend guthaben", "guthaben reicht nicht",
        "nicht gedeckt", "acceso denegado", "permiso*", "no autorizad*", "sin autorización",
        "sesión ha caducado", "sesión caducada", "sesión expirada", "sesión ha expirado",
        "inicie sesión", "inicia sesión", "cuota", "rechazad*", "denegad*", "contraseña incorrecta",
        "cuenta bloqueada", "tarjeta caducada", "saldo insuficiente", "fondos insuficientes",
        "solo para", "límite diario", "accès refusé", "accès interdit", "non autorisé*",
        "pas autorisé*", "pas les droits", "pas le droit", "droits insuffisants",
        "droits nécessaires", "réservé aux", "réservée aux", "session expirée", "session a expiré",
        "connectez-vous", "vous connecter", "mot de passe incorrect", "compte bloqué",
        "compte suspendu", "carte expirée", "solde insuffisant", "provision insuffisante",
        "refusée par", "refusé par", "a été refusée", "quota dépassé", "权限", "无权", "未授权",
        "拒绝访问", "访问被拒绝", "禁止访问", "未登录", "登录已过期", "会话已过期", "令牌已过期",
        "配额", "額度", "额度", "限额", "請先登录", "请先登录", "重新登录", "密码错误", "余额不足",
        "被银行拒绝", "被拒付", "拒付", "账户被冻结", "账号已被", "権限", "アクセスが拒否",
        "アクセス拒否", "許可されていません", "許可がありません", "認証に失敗", "認証が必要",
        "ログインしてください", "ログインが必要", "セッションの有効期限", "有効期限が切れました",
        "上限に達し", "パスワードが違", "パスワードが正しく", "残高不足", "残高が不足",
        "カードが拒否", "カードは拒否", "カードが利用できません"}},
    // nothing is wrong with the call: its subject, the machine or the program is in the way
    {other,
      {"already", "unknown error", "unknown exception", "unspecified error", "unexpected error",
        "unexpected exception", "unhandled", "uncaught", "something went wrong",
        "something unexpected", "just been taken", "been taken by", "been booked by",
        "no longer available", "no longer free", "not available anymore", "duplicate key",
        "duplicate entry", "duplicate value", "unique constraint", "uniqueness", "unique violation",
        "conflict*", "would be overwritten", "non-fast-forward", "fetch first", "have diverged",
        "unmerged", "uncommitted", "has been modified", "was modified", "object has changed",
        "has changed since", "version mismatch", "precondition", "stale object", "optimistic lock*",
        "etag", "not in a state", "in the wrong state", "in state", "not empty", "no space left",
        "disk full", "disk is full", "out of disk", "not enough space", "not enough disk",
        "storage full", "storage is full", "out of memory", "heap space", "heap out of",
        "cannot allocate memory", "allocation failed", "memory exhausted", "oom", "oom-killed",
        "memory limit", "sigkill", "sigsegv", "sigabrt", "sigill", "sigbus", "signal 9",
        "signal 11", "signal 6", "bus error", "illegal instruction", "segmentation fault",
        "segfault", "core dumped", "stack overflow", "nullpointer", "null pointer", "nil pointer",
        "null reference", "panic", "panicked", "traceback", "assertion", "crash*",
        "bad interpreter", "exec format error", "all goroutines are asleep", "cannot read propert*",
        "is not a function", "is not defined", "is undefined", "undefined method",
        "division by zero", "divide by zero", "index out of", "subscript out of", "recursion depth",
        "maximum call stack", "not implemented", "unimplemented", "not yet supported", "lifecycle",
        "resolve dependency", "dependency tree", "peer dep*", "version conflict", "build failed",
        "compilation failed", "compilation error", "linker command", "undefined reference",
        "undefined symbol", "tests failed", "test failed", "back-off restarting", "crashloop*",
        "checksum", "crc error", "crc mismatch", "hash mismatch", "digest mismatch", "integrity",
        "corrupt*", "damaged", "bad sector", "i/o error", "input/output error", "read error",
        "write error", "certificate verif*", "certificate verify", "certificate has expired",
        "certificate is not*", "certificate problem", "certificate expired",
        "certificate is expired", "certificate signed by", "certificate error", "ssl certificate",
        "server certificate", "x509", "self-signed certificate", "self signed certificate",
        "hostname mismatch", "is encrypted", "bad decrypt", "symbolic links", "sold out",
        "out of stock", "not in stock", "fully booked", "no seats", "no vacancy", "no vacancies",
        "no rooms left", "no tables left", "no tickets left", "no availability", "overbooked",
        "discontinued", "not free", "waitlist*", "has been cancelled", "has been canceled",
        "was cancelled", "was canceled", "cancelled by", "canceled by", "too late to",
        "out of paper", "paper jam*", "no paper", "media-empty*", "media empty", "toner",
        "out of ink", "cartridge", "cover open", "cover is open", "lid open", "lid is open", "jam",
        "jammed", "is stuck", "got stuck", "stuck", "stalled", "clogged", "obstructed",
        "blocked by an", "is blocked", "tank empty", "water tank", "low battery", "battery low",
        "battery too low", "battery is low", "battery critically", "battery level", "battery empty",
        "battery is empty", "door is open", "door open", "window is open", "emergency stop",
        "e-stop", "estop", "obstacle", "collision", "joint limit", "limit switch", "overcurrent",
        "over-current", "overheat*", "too hot", "temperature too high", "over temperature",
        "hardware fault", "hardware failure", "hardware error", "motor fault", "motor error",
        "fuse", "leak detected", "tamper*", "lost the object", "grip lost", "dropped the",
        "slipped", "fell over", "calibration", "bereits", "schon vergeben", "schon gebucht",
        "schon belegt", "nicht mehr frei", "nicht frei", "nicht mehr verfügbar", "ausgebucht",
        "ausverkauft", "vergriffen", "kein speicherplatz", "speicher voll", "festplatte voll",
        "kein papier", "papierstau", "klemmt", "verklemmt", "blockiert", "akku leer",
        "akku fast leer", "tür offen", "abgestürzt", "beschädigt", "unbekannter fehler",
        "zertifikat", "ya existe", "no está libre", "ya no quedan", "ya no hay", "ya está",
        "ya fue", "ya ha sido", "ya se ha", "ya no está disponible", "agotad*", "sin existencias",
        "no quedan", "completo", "disco lleno", "sin espacio", "sin papel", "atasco", "atascad*",
        "batería baja", "dañad*", "error desconocido", "certificado ha", "existe déjà", "pas libre",
        "plus libre", "déjà", "n'est plus disponible", "ne sont plus disponibles", "complet",
        "complète", "épuisé*", "rupture de stock", "plus de place", "disque plein",
        "espace insuffisant", "bourrage", "plus de papier", "bloqué*", "coincé*", "batterie faible",
        "endommagé*", "erreur inconnue", "certificat", "已存在", "已经存在", "已被占用", "已被预订",
        "已经被", "已取消", "已售罄", "售罄", "售完", "缺货", "已满", "约满", "订满", "空间不足",
        "磁盘已满", "内存不足", "卡住", "卡纸", "缺纸", "电量不足", "电量过低", "损坏", "未知错误",
        "证书", "満席", "満室", "売り切れ", "完売", "在庫切れ", "在庫がありません", "既に",
        "すでに", "予約済み", "空き容量", "容量不足", "紙詰まり", "用紙切れ", "用紙がありません",
        "詰まっています", "引っかか", "メモリ不足", "電池残量", "バッテリー残量", "破損", "壊れて",
        "不明なエラー", "証明書"}},
    // nobody answered in time
    {timeout,
      {"timed out", "timed-out", "time out", "timeout", "time-out", "timeouts", "timing out",
        "deadline exceeded", "deadline has passed", "took too long", "taking too long",
        "no response", "no reply", "no answer", "no acknowledgement", "no ack", "not responding",
        "unresponsive", "did not respond", "does not respond", "didn't respond",
        "has not responded", "did not reply", "did not answer", "didn't answer", "did not confirm",
        "did not acknowledge", "not answering", "did not finish in time",
        "did not complete in time", "not finish within", "not complete within",
        "in the allotted time", "within the allotted", "in time", "within the time limit",
        "time limit exceeded", "exceeded its time", "exceeded the time", "execution time",
        "wall clock", "walltime", "gave up waiting", "gave up after", "watchdog",
        "statement timeout", "timeoutexpired", "it is unknown whether", "unknown whether",
        "not known whether", "unclear whether", "outcome is unknown", "outcome unknown",
        "status unknown", "state is unknown", "status is unknown", "zeitüberschreitung",
        "zeitlimit", "antwortet nicht", "reagiert nicht", "keine antwort", "nicht geantwortet",
        "nicht rechtzeitig", "dauerte zu lange", "dauert zu lange", "meldet sich nicht",
        "tiempo de espera", "tiempo agotado", "tiempo límite", "no responde", "no respondió",
        "no ha respondido", "no contesta", "no contestó", "tardó demasiado", "ha tardado demasiado",
        "délai d'attente", "délai dépassé", "délai imparti", "dans les délais", "ne répond pas",
        "ne répond plus", "n'a pas répondu", "aucune réponse", "sans réponse", "temps écoulé",
        "trop de temps", "超时", "逾时", "未响应", "没有响应", "无响应", "未应答", "没有应答",
        "未在规定时间", "タイムアウト", "応答がありません", "応答しません", "応答なし",
        "返答がありません", "時間切れ", "時間内に"}},
    // it may work when it is tried again
    {transient,
      {"temporar*", "transient", "intermittent", "try again", "try later", "retry later",
        "retry after", "retry in", "please retry", "please wait", "again later", "again in a",
        "at the moment", "momentarily", "for the moment", "unavailable", "currently down",
        "is down", "went down", "outage", "connection reset", "connection refused",
        "connection was refused", "refused the connection", "refused to connect", "connection lost",
        "connection dropped", "dropped the connection", "connection closed", "connection aborted",
        "connection was closed", "connection was lost", "connection interrupted",
        "connection was interrupted", "connection terminated", "connection error",
        "connection failed", "connection failure", "closed the connection", "closed connection",
        "server closed", "remote end closed", "lost connection", "lost contact",
        "lost its connection", "recv failure", "send failure", "empty reply",
        "transport is closing", "goaway", "stream reset", "stream error", "network error",
        "network failure", "network changed", "network is down", "network is unreachable",
        "network unreachable", "no network", "no internet", "no route to host",
        "host is unreachable", "host is down", "broken pipe", "socket hang up", "unexpected eof",
        "unexpected end of", "connect error", "no healthy upstream", "no available server",
        "overloaded", "overload", "heavy load", "high load", "high demand", "server busy",
        "too busy", "is busy", "device busy", "resource busy", "line busy", "busy with", "busy,",
        "all workers", "out of capacity", "no capacity", "insufficient capacity", "at capacity",
        "capacity exceeded", "insufficient cpu", "insufficient memory", "nodes are available",
        "under maintenance", "maintenance", "upgrade in progress", "in progress", "starting up",
        "is starting", "still starting", "shutting down", "restarting", "rebooting", "initializing",
        "initialising", "warming up", "catching up", "not ready", "loading", "reconnect*",
        "failover", "election", "no leader", "not leader", "circuit breaker", "circuitbreaker",
        "circuit is open", "is locked", "database is locked", "locked by", "deadlock*",
        "could not serialize", "serialization failure", "could not obtain lock",
        "could not get lock", "could not acquire", "cannot acquire", "unable to acquire",
        "failed to acquire", "obtain a lock", "obtain the lock", "acquire lock", "acquire the lock",
        "unable to lock", "lock request", "lock wait", "lock held", "too many connections",
        "too many open", "temporary failure", "misbehaving", "bad gateway", "internal server error",
        "internal error", "server error", "backend error", "service error", "on our side",
        "on our end", "our side", "glitch", "hiccup", "service is down", "is offline", "offline",
        "went offline", "not reachable", "unreachable", "cannot be reached", "could not be reached",
        "can't be reached", "could not connect", "cannot connect", "can't connect",
        "failed to connect", "unable to connect", "cannot reach", "could not reach",
        "not connected", "disconnected", "signal lost", "lost signal", "no signal", "weak signal",
        "link lost", "link down", "link is down", "interference", "vorübergehend", "später erneut",
        "später noch einmal", "später wieder", "nochmal versuchen", "versuchen sie es erneut",
        "nicht erreichbar", "nicht verfügbar", "überlastet", "ausgelastet",
        "verbindung unterbrochen", "verbindung abgebrochen", "verbindung verloren",
        "verbindung verweigert", "verbindung getrennt", "verbindungsfehler", "netzwerkfehler",
        "keine verbindung", "wartungsarbeiten", "wird gewartet", "beschäftigt",
        "interner serverfehler", "interner fehler", "temporalmente", "más tarde",
        "inténtelo de nuevo", "intente de nuevo", "inténtalo de nuevo", "vuelva a intentarlo",
        "conexión rechazada", "conexión perdida", "conexión interrumpida", "se perdió la conexión",
        "sin conexión", "no disponible", "error de conexión", "error de red", "fuera de línea",
        "fuera de servicio", "en mantenimiento", "ocupad*", "sobrecargad*", "saturad*",
        "error interno", "temporairement", "momentanément", "réessayez", "réessayer", "plus tard",
        "connexion refusée", "connexion perdue", "connexion interrompue", "connexion impossible",
        "erreur réseau", "erreur de connexion", "hors ligne", "hors service", "en maintenance",
        "surchargé*", "occupé*", "injoignable", "indisponible", "erreur interne", "稍后", "重试",
        "暂时", "繁忙", "服务器忙", "正忙", "离线", "连接被重置", "连接被拒绝", "连接中断",
        "连接失败", "断开", "网络错误", "网络异常", "维护", "不可用", "内部错误", "しばらくして",
        "後ほど", "もう一度お試し", "再度お試し", "一時的", "混み合って", "混雑", "使用中",
        "オフライン", "接続が切断", "接続が拒否", "接続が切れ", "接続エラー", "接続できません",
        "つながりません", "メンテナンス", "通信エラー", "ネットワークエラー", "内部エラー",
        "サーバーエラー"}},
    // what is meant is not there
    {not_found,
      {"not found", "cannot be found", "could not be found", "couldn't be found", "can't be found",
        "can't find", "cannot find", "could not find", "couldn't find", "no such", "does not exist",
        "doesn't exist", "do not exist", "don't exist", "did not exist", "not exist",
        "non-existent", "nonexistent", "no match*", "not match any", "matches no", "nothing found",
        "nothing matches", "nothing at", "no results", "no record of", "no records", "no entry",
        "no trace of", "unable to find", "unable to locate", "cannot locate", "could not locate",
        "couldn't locate", "no module named", "manifest unknown", "unknown revision",
        "unknown table", "unknown database", "unknown column", "not recognized as",
        "not a git repository", "name_not_resolved", "not resolved", "nxdomain", "unknown host",
        "unknown device", "unknown user", "unknown account", "unknown customer", "unknown order",
        "unknown product", "unknown id", "unknown key", "unknown city", "unknown file",
        "unknown recipient", "user unknown", "recipient unknown", "number unknown",
        "no longer exists", "no longer exist", "has been deleted", "was deleted",
        "has been removed", "was removed", "not registered", "is not listed", "isn't listed",
        "not on file", "not in the system", "not in our", "with id", "with that id", "with this id",
        "with that name", "with this name", "with that number", "with this number", "by that name",
        "with the id", "named", "nicht gefunden", "nicht vorhanden", "nicht finden",
        "existiert nicht", "unbekannt*", "gibt es nicht", "nicht auffindbar", "kein treffer",
        "keine treffer", "keinen eintrag", "no encontrad*", "no se encontr*", "no se ha encontrado",
        "no existe*", "no hay ningún", "no hay ninguna", "no figura", "desconocid*", "introuvable*",
        "n'existe pas", "n'existe plus", "inconnu*", "aucun résultat", "pas trouvé*",
        "aucun client", "aucune commande", "aucun compte", "aucun fichier", "trouvé", "找不到",
        "未找到", "不存在", "没有找到", "没有这个", "查无", "查不到", "无此", "見つかりません",
        "見つかりませんでした", "存在しません", "見当たりません", "該当する", "登録されていません",
        "ありませんでした"}},
  };
  return result;
}

/// Phrases that say less: they count where the classifier is not sure.
const std::vector<group>& hints() {
  static const std::vector<group> result{
    {permission, {"not allowed for", "is not allowed", "are not allowed", "your limit", "trial",
                   "scope", "license", "licence"}},
    {other, {"is closed", "tray", "is full", "is empty"}},
    {invalid_input,
      {"is required", "are required", "must be", "must not", "must have", "must contain", "invalid",
        "malformed", "missing", "unsupported", "not supported", "incorrect", "illegal", "too long",
        "too short", "too large", "too big", "exceeds", "exceeded", "expected", "in the past",
        "before the start", "before start", "not enough", "insufficient", "too small",
        "not accepted", "bad", "wrong", "does not match", "mismatch", "fehlt", "erwartet",
        "zu lang", "zu kurz", "zu groß", "falsch*", "falta", "demasiado larg*", "demasiado grande",
        "incorrect*", "manquant*", "trop long*", "trop grand*", "缺少", "过长", "过大", "不支持",
        "错误的", "長すぎ", "大きすぎ", "対応していません", "サポートされていません", "間違って"}},
  };
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

std::optional<error_class> first_of(const std::vector<group>& all, std::string_view error) {
  auto text = in_lower_case(utf8::prefix(error, read_bytes));
  for (const auto& one : all)
    if (std::any_of(one.phrases.begin(), one.phrases.end(),
          [&](std::string_view phrase) { return has(text, phrase); }))
      return one.kind;
  return std::nullopt;
}

} // namespace

std::optional<error_class> class_by_phrase(std::string_view error) {
  return first_of(phrase_groups(), error);
}

std::optional<error_class> class_by_hint(std::string_view error) {
  return first_of(hints(), error);
}

bool leaves_outcome_open(std::string_view error, error_class kind) {
  if (kind == timeout)
    return true;
  static const std::vector<std::string_view> lost{"connection reset", "connection lost",
    "connection dropped", "dropped the connection", "lost contact", "connection interrupted",
    "connection was interrupted", "connection was lost", "recv failure", "empty reply",
    "remote end closed", "server closed", "goaway", "transport is closing", "lost connection",
    "connection closed", "connection was closed", "connection aborted", "broken pipe", "hang up",
    "econnreset", "epipe", "eof", "interrupted", "disconnect*", "outcome is unknown",
    "outcome unknown", "state is unknown", "status is unknown", "unterbrochen", "abgebrochen",
    "verloren", "interrumpida", "perdida", "interrompue", "perdue", "中断", "被重置", "切断"};
  auto text = in_lower_case(utf8::prefix(error, read_bytes));
  return kind == transient && std::any_of(lost.begin(), lost.end(), [&](std::string_view phrase) {
    return has(text, phrase);
  });
}

} // namespace scratchpage
