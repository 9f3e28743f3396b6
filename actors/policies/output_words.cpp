#include "scratchpage/actors/policies/output_words.hpp"

namespace scratchpage::policies {

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
    "已发送", "已支付", "已预订", "完成", "予約", "支払い", "verfügbar", "bestätigt", "gelöscht",
    "geöffnet", "geschlossen", "verriegelt", "eingeschaltet", "ausgeschaltet", "gedruckt",
    "verschickt", "zugestellt", "angenommen", "genehmigt", "erlaubt", "gespeichert", "gestartet",
    "erstattet", "überwiesen", "disponible", "confirmado", "confirmada", "enviada", "reservada",
    "pagada", "abierto", "cerrado", "apagado", "encendido", "eliminado", "borrado", "impreso",
    "entregado", "aceptado", "aprobado", "autorizado", "permitido", "guardado", "iniciado",
    "reembolsado", "confirmé", "supprimé", "fermé", "ouvert", "éteint", "allumé", "imprimé",
    "livré", "accepté", "approuvé", "autorisé", "enregistré", "démarré", "remboursé", "已完成",
    "已取消", "已打开", "已关闭", "可用", "允许", "保存", "施錠", "signed", "landed", "docked",
    "calibrated", "graded", "enrolled", "verified", "matched", "resolved", "fixed", "restored",
    "synced", "subscribed", "granted"};
  return result;
}

const word_set& complaints() {
  static const word_set result{"error", "errors", "err", "exception", "failure", "failures",
    "failed", "fehler", "fehlgeschlagen", "rejected", "refused", "denied", "declined", "invalid",
    "missing", "unreachable", "undeliverable", "bounced", "blocked", "timed_out", "timedout",
    "aborted", "crashed", "fallo", "fallido", "rechazado", "erreur", "erreurs", "échec", "echec",
    "refusé", "错误", "失败", "エラー", "失敗"};
  return result;
}

const word_set& receipts() {
  static const word_set result{"pnr", "id", "confirmation", "confirmation_number",
    "confirmation_id", "confirmation_code", "booking_id", "order_id", "reservation_id", "reference",
    "ticket", "ticket_id", "receipt", "transaction_id", "message_id", "event_id", "url", "result",
    "output", "answer", "value", "tracking_number"};
  return result;
}

const word_set& nothings() {
  static const word_set result{"next", "next_cursor", "cursor", "next_page", "warning", "warnings",
    "message", "note", "notes", "reason", "end", "ends_at", "expires", "expires_at", "parent",
    "error", "errors", "stderr", "stdout", "deleted_at", "comment", "description", "middle_name",
    "phone", "fax", "website", "image", "previous", "fehler", "erreur"};
  return result;
}

const word_set& states() {
  static const word_set result{"status", "state", "result", "outcome", "phase", "stage", "stand",
    "zustand", "ergebnis", "estado", "resultado", "statut", "état", "etat", "résultat", "resultat",
    "状态", "结果", "状態", "結果", "rollout", "conclusion", "verdict", "code", "decision",
    "disposition"};
  return result;
}

const word_set& tellings() {
  static const word_set result{"message", "msg", "reason", "detail", "details", "note", "notes",
    "warning", "meldung", "grund", "hinweis", "nachricht", "mensaje", "motivo", "razón", "razon",
    "raison", "motif", "原因", "理由", "消息", "信息", "メッセージ", "description", "explanation",
    "stderr", "stdout", "log", "logs", "output", "text", "response", "body"};
  return result;
}

const word_set& messages() {
  static const word_set result{"message", "msg", "meldung", "mensaje", "stderr", "detail",
    "details", "hinweis", "nachricht", "info", "notice", "summary", "消息", "信息", "メッセージ"};
  return result;
}

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
    "unhealthy", "degraded", "abgebrochen", "interrumpido", "abandonné", "已中止", "中止",
    "fehlgeschlagen", "fehler", "abgelehnt", "gescheitert", "fallido", "rechazado", "échoué",
    "refusé", "失败", "錯誤", "错误", "被拒绝", "失敗", "エラー", "拒否"};
  return result;
}

const word_set& plainly_bad() {
  static const word_set result{"failed", "failure", "error", "errored", "rejected", "denied",
    "declined", "refused", "aborted", "timeout", "timed out", "unreachable", "crashed", "bounced",
    "undelivered", "unsuccessful", "fehlgeschlagen", "abgelehnt", "fallido", "rechazado", "échoué",
    "refusé", "失败", "失敗"};
  return result;
}

const word_set& unfinished_states() {
  static const word_set result{"pending", "queued", "accepted", "in progress", "in_progress",
    "running", "processing", "started", "starting", "scheduled", "waiting", "submitted", "received",
    "working", "building", "deploying", "uploading", "downloading", "initiated", "requested",
    "awaiting", "on hold", "not started", "ongoing", "preparing", "under review", "in review",
    "provisioning", "syncing", "pairing", "creating", "initializing", "initialising", "booting",
    "allocating", "launching", "generating", "rendering", "encoding", "converting", "compiling",
    "installing", "migrating", "indexing", "exporting", "importing", "copying", "sending",
    "wird erstellt", "wird angelegt", "wird vorbereitet", "se está creando", "creando",
    "en creación", "en création", "en cours de création", "创建中", "生成中", "作成中", "準備中",
    "requires action", "requires_action", "in bearbeitung", "ausstehend", "läuft", "wartet",
    "pendiente", "en curso", "en proceso", "en cours", "en attente", "处理中", "进行中", "等待中",
    "待处理", "処理中", "進行中", "待機中", "保留中", "in transit", "in queue", "to be confirmed",
    "tentative", "on request", "waitlisted", "waitlist", "refund pending", "pending review",
    "en marcha", "en funcionamiento", "en marche", "运行中", "実行中", "運転中", "needs review",
    "verifying", "warte", "en attente de validation", "待确认", "審査中", "確認中", "in cart",
    "in basket", "in the cart", "cart", "basket", "draft", "held", "unpaid", "unsigned", "unsent",
    "not sent", "not submitted", "not booked", "prepared", "im warenkorb", "warenkorb", "entwurf",
    "en el carrito", "borrador", "dans le panier", "brouillon", "购物车", "草稿", "カート",
    "下書き", "需要确认", "需确认", "待批准", "待审批", "待签署", "要確認", "承認待ち",
    "confirmation required", "approval required", "signature required", "action required",
    "needs confirmation", "needs approval", "requires confirmation", "requires approval"};
  return result;
}

const word_set& plainly_unfinished() {
  static const word_set result{"not started", "not yet started", "not begun", "not done",
    "not yet done", "not finished", "not installed", "not sent", "not yet", "to do", "todo",
    "outstanding", "unfinished", "nicht gestartet", "nicht begonnen", "noch nicht", "noch offen",
    "nicht erledigt", "no iniciado", "no iniciada", "sin empezar", "sin hacer", "por hacer",
    "non commencé", "pas commencé", "pas encore", "à faire", "未开始", "未完成", "未执行", "未着手",
    "未実行", "未処理"};
  return result;
}

const word_set& leftovers() {
  static const word_set result{"remaining", "left", "todo", "pending", "queued", "outstanding",
    "unprocessed", "skipped", "unfinished", "not_done", "open_items", "restantes", "pendientes",
    "restants", "übrig", "offen", "剩余", "残り"};
  return result;
}

const word_set& counting_states() {
  static const word_set result{"running", "started", "starting", "scheduled", "queued", "accepted",
    "submitted", "requested", "received", "läuft", "initiated", "prepared", "draft", "entwurf",
    "borrador", "brouillon", "草稿", "下書き", "held", "en marcha", "en funcionamiento",
    "en marche", "运行中", "実行中", "運転中"};
  return result;
}

const word_set& good_states() {
  static const word_set result{"ok", "done", "success", "successful", "succeeded", "complete",
    "completed", "finished", "sent", "delivered", "booked", "confirmed", "paid", "ready", "on",
    "off", "open", "opened", "closed", "locked", "unlocked", "active", "enabled", "disabled",
    "passed", "pass", "green", "yes", "up", "online", "healthy", "created", "deleted", "updated",
    "cancelled", "canceled", "playing", "paused", "stopped", "approved", "merged", "deployed",
    "installed", "filled", "refunded", "erledigt", "an", "aus", "fertig", "hecho", "listo", "fait",
    "terminé", "成功", "完成", "已完成", "完了", "offen", "geöffnet", "geschlossen", "verschlossen",
    "verriegelt", "eingeschaltet", "ausgeschaltet", "gesendet", "gebucht", "bezahlt", "bestätigt",
    "aktiv", "gespeichert", "abierto", "abierta", "cerrado", "cerrada", "encendido", "encendida",
    "apagado", "apagada", "enviado", "reservado", "pagado", "confirmado", "activo", "ouvert",
    "ouverte", "fermé", "fermée", "allumé", "éteint", "envoyé", "réservé", "payé", "confirmé",
    "actif", "开", "关", "已打开", "已关闭", "已发送", "已预订", "已支付", "已确认", "オン", "オフ",
    "開", "閉", "点灯", "消灯", "送信済み", "予約済み", "支払い済み", "確認済み", "executed",
    "settled", "shipped", "printed", "saved", "armed", "disarmed", "docked", "landed", "synced",
    "graded", "enrolled", "redeemed", "activated", "reserved", "issued"};
  return result;
}

const std::vector<std::string_view>& failing() {
  static const std::vector<std::string_view> result{"error:", "err!", "fatal:", "traceback",
    "exception", " failed", "failed ", "failure", "could not", "cannot ", "can't ", "unable to",
    "permission denied", "access denied", "not permitted", "i/o error", "input/output error",
    "no such ", "not found", "timed out", "refused", "rejected", "aborted",
    "panic:", "segmentation fault", "was not ", "were not ", "can be neither", "not possible",
    "impossible", "skipped due", "error, skipped", "e: ", "fehlgeschlagen",
    "fehler:", "nicht möglich", "konnte nicht", "kann nicht", "abgelehnt", "no se pudo",
    "no se puede", "error al", "falló", "rechazad", "impossible de", "échec", "échoué",
    "n'a pas pu", "refusé", "失败", "无法", "未能", "不能", "出错", "拒绝", "失敗", "できません",
    "できない", "エラー", "ありませんでした", "見つかりません", "開いたまま", "閉まっていません",
    "拒否"};
  return result;
}

const std::vector<std::string_view>& excused() {
  static const std::vector<std::string_view> result{"0 failed", "no error", "0 error",
    "without error", "no failure", "0 failure", "failed: 0", "errors: 0", "error: 0", "error: none",
    "error: null", "keine fehler", "0 fehler", "sin errores", "0 errores", "aucune erreur",
    "0 erreur", "没有错误", "エラーなし", "エラーはありません"};
  return result;
}

} // namespace scratchpage::policies
