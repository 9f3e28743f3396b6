#include "scratchpage/actors/policies/request_words.hpp"

namespace scratchpage::policies {

const word_set& openings() {
  static const word_set result{"please", "could", "can", "would", "will", "you", "kindly", "now",
    "just", "then", "also", "and", "ok", "okay", "yes", "hi", "hello", "hey", "i", "i'd", "i'll",
    "we", "like", "want", "need", "to", "let's", "go", "ahead", "help", "me", "so", "great", "sure",
    "next", "first", "finally", "bitte", "kannst", "könntest", "können", "könnten", "du", "sie",
    "mal", "mir", "jetzt", "dann", "hallo", "por", "favor", "puedes", "podrías", "puede", "hola",
    "ahora", "luego", "quiero", "quisiera", "s'il", "te", "vous", "plaît", "peux", "tu", "pouvez",
    "pourriez", "bonjour", "maintenant", "je", "veux", "voudrais", "ensuite"};
  return result;
}

const word_set& questioning() {
  static const word_set result{"what", "what's", "who", "who's", "whose", "whom", "where",
    "where's", "when", "when's", "why", "how", "how's", "which", "is", "are", "was", "were", "am",
    "do", "does", "did", "has", "have", "had", "isn't", "aren't", "doesn't", "didn't", "should",
    "shall", "may", "might", "wer", "wie", "wo", "wann", "warum", "wieso", "welche", "welcher",
    "welches", "wieviel", "wieviele", "ist", "sind", "hat", "haben", "gibt", "wohin", "woher",
    "qué", "quién", "dónde", "cuándo", "cuánto", "cuánta", "cuántos", "cuántas", "cómo", "cuál",
    "cuáles", "hay", "está", "están", "es", "qui", "quoi", "quand", "où", "comment", "combien",
    "pourquoi", "quel", "quelle", "quels", "quelles", "est", "sont", "qu'est", "est-ce", "quelqu"};
  return result;
}

const word_set& doing() {
  static const word_set result{"book", "reserve", "buy", "purchase", "order", "send", "pay", "play",
    "create", "delete", "remove", "schedule", "cancel", "update", "add", "set", "post", "put",
    "transfer", "wire", "charge", "refund", "submit", "publish", "deploy", "start", "stop",
    "restart", "run", "execute", "install", "uninstall", "upload", "download", "move", "copy",
    "rename", "open", "close", "lock", "unlock", "turn", "switch", "enable", "disable", "register",
    "subscribe", "unsubscribe", "sign", "enroll", "join", "assign", "invite", "share", "modify",
    "change", "edit", "exchange", "return", "rent", "hire", "ship", "print", "mail", "email",
    "e-mail", "call", "dial", "text", "message", "notify", "remind", "reply", "forward", "commit",
    "push", "merge", "release", "approve", "reject", "accept", "confirm", "donate", "sell",
    "deposit", "withdraw", "clean", "vacuum", "wash", "brew", "dim", "raise", "lower", "save",
    "archive", "restore", "backup", "back", "reset", "clear", "block", "mute", "pause", "resume",
    "upgrade", "migrate", "roll", "revert", "fix", "repair", "renew", "reschedule", "issue",
    "prescribe", "file", "bring", "fetch", "pick", "drive", "navigate", "water", "feed", "arrange",
    "make", "get", "take", "collect", "import", "export", "sync", "apply", "activate", "recover",
    "build", "test", "compile", "replace", "enter", "log", "record", "hand", "order", "request",
    "store", "tag", "label", "mark", "pin", "flag", "snooze", "vote", "follow", "unfollow",
    "redirect", "resize", "crop", "rotate", "render", "encrypt", "decrypt", "calibrate", "dock",
    "park", "refill", "escalate", "reopen", "appoint", "allocate", "swap", "split", "combine",
    "fill", "prepare", "pack", "carry", "transport", "place", "bringe", "transportiere", "lleva",
    "trae", "apporte", "amène", "transporte", "emmène", "deliver", "dispatch", "grade", "organise",
    "organize", "extend", "shorten", "warm", "heat", "cool", "arm", "disarm", "redeem", "rebook",
    "launch", "scale", "trigger", "undo", "redo", "blend", "lift", "grab", "rollback", "drop",
    "grant", "revoke", "rotate", "markiere", "bestätige", "verlängere", "verlege", "tausche",
    "fahre", "fahr", "erstatte", "übertrage", "leite", "guarda", "confirma", "devuelve",
    "reembolsa", "renueva", "enregistre", "confirme", "renvoie", "rembourse", "renouvelle",
    "prolonge", "réservez", "buche", "bestell", "kauf", "druck", "öffn", "lösch", "änder",
    "resérvame", "cómprame", "envíame", "mándame", "pídeme", "ponme", "réserve-moi", "envoie-moi",
    "reserviere", "informiere", "benachrichtige", "avisa", "avisad", "informa", "notifica",
    "préviens", "prévenez", "avertis", "kaufe", "bestelle", "sende", "schicke", "schick", "bezahle",
    "zahle", "überweise", "storniere", "lösche", "starte", "stoppe", "installiere", "aktualisiere",
    "ändere", "öffne", "schließe", "schalte", "mach", "mache", "stelle", "stell", "erstelle",
    "drucke", "verschiebe", "kopiere", "lade", "erinnere", "ruf", "rufe", "trage", "füge", "setze",
    "spiele", "spiel", "verschicke", "melde", "kündige", "sperre", "buch", "trag", "leg", "lege",
    "reserva", "compra", "pide", "envía", "manda", "paga", "transfiere", "cancela", "anula",
    "borra", "elimina", "inicia", "reinicia", "para", "instala", "actualiza", "cambia", "cambiar",
    "abre", "cierra", "enciende", "apaga", "crea", "imprime", "mueve", "copia", "sube", "descarga",
    "recuérdame", "llama", "pon", "añade", "reproduce", "reservar", "comprar", "enviar", "pagar",
    "cancelar", "haz", "réserve", "réservez", "achète", "achetez", "commande", "commandez",
    "envoie", "envoyez", "paie", "paye", "payez", "vire", "annule", "annulez", "supprime",
    "supprimez", "lance", "lancez", "démarre", "redémarre", "arrête", "installe", "installez",
    "modifie", "change", "ouvre", "ouvrez", "ferme", "fermez", "allume", "allumez", "éteins",
    "éteignez", "crée", "créez", "imprime", "imprimez", "déplace", "copie", "télécharge",
    "rappelle", "appelle", "ajoute", "mets", "joue", "réserver", "acheter", "envoyer", "payer",
    "annuler"};
  return result;
}

const word_set& looking() {
  static const word_set result{"find", "search", "look", "check", "list", "show", "track", "locate",
    "compare", "browse", "count", "query", "see", "verify", "read", "lookup", "recommend",
    "suggest", "calculate", "compute", "convert", "translate", "identify", "scan", "monitor",
    "suche", "such", "finde", "prüfe", "zeige", "zeig", "liste", "vergleiche", "zähle", "berechne",
    "übersetze", "empfiehl", "überprüfe", "busca", "encuentra", "muestra", "muéstrame", "comprueba",
    "compara", "cuenta", "calcula", "traduce", "recomienda", "lista", "verifica", "cherche",
    "cherchez", "trouve", "trouvez", "montre", "montrez", "vérifie", "vérifiez", "compare",
    "compte", "calcule", "traduis", "traduisez", "recommande", "liste"};
  return result;
}

const word_set& telling() {
  static const word_set result{"explain", "tell", "describe", "summarize", "summarise", "write",
    "draft", "define", "name", "give", "say", "rephrase", "rewrite", "proofread", "outline",
    "brainstorm", "teach", "quiz", "compose", "answer", "think", "advise", "erkläre", "erklär",
    "beschreibe", "schreibe", "schreib", "nenne", "sag", "gib", "formuliere", "fasse", "explica",
    "explícame", "describe", "escribe", "resume", "dime", "di", "dame", "redacta", "explique",
    "expliquez", "décris", "écris", "écrivez", "résume", "résumez", "dis", "donne", "rédige", "jot",
    "memorize", "remember", "keep", "notiere", "merke", "merk", "anota", "apunta", "recuerda",
    "note", "hazme", "hágame", "dígame", "cuéntame", "escríbeme", "redáctame", "resúmeme",
    "fais-moi", "faites-moi", "écris-moi", "explique-moi", "donne-moi", "dis-moi", "raconte"};
  return result;
}

const word_set& infinitives() {
  static const word_set result{"buchen", "reservieren", "kaufen", "bestellen", "senden", "schicken",
    "bezahlen", "überweisen", "stornieren", "löschen", "starten", "installieren", "aktualisieren",
    "ändern", "öffnen", "schließen", "einschalten", "ausschalten", "erstellen", "drucken",
    "verschieben", "hochladen", "herunterladen", "kündigen", "umbuchen", "eintragen", "anrufen"};
  return result;
}

const word_set& wishing() {
  static const word_set result{"need", "want", "please", "i'd", "brauche", "möchte", "hätte",
    "will", "bitte", "necesito", "quiero", "quisiera", "gustaría", "voudrais", "veux", "besoin",
    "aimerais"};
  return result;
}

const word_set& units() {
  static const word_set result{"euros", "dollars", "pounds", "francs", "minutes", "hours", "days",
    "weeks", "months", "years", "nights", "people", "persons", "guests", "adults", "kids",
    "children", "degrees", "miles", "meters", "metres", "kilometers", "seconds", "points",
    "percent", "shares", "stars", "tickets", "seats", "stunden", "minuten", "tagen", "personen",
    "nächten", "horas", "minutos", "días", "personas", "noches", "heures", "jours", "personnes",
    "nuits", "copies", "grams", "cups", "words", "lines", "pages"};
  return result;
}

const word_set& before_amounts() {
  static const word_set result{"at", "for", "by", "until", "after", "before", "from", "to",
    "version", "number", "order", "no", "room", "flight", "may", "june", "july", "um", "für", "bis",
    "a", "para", "à", "pour", "in", "within", "on", "um", "gate", "line", "page", "chapter",
    "than"};
  return result;
}

const word_set& talk() {
  static const word_set result{"thanks", "thank", "thx", "ty", "cheers", "bye", "goodbye", "hello",
    "hi", "hey", "welcome", "greetings", "morning", "evening", "night", "afternoon", "great",
    "perfect", "wonderful", "awesome", "excellent", "nice", "cool", "ok", "okay", "danke",
    "dankeschön", "tschüss", "hallo", "wiedersehen", "super", "prima", "moin", "servus", "gracias",
    "adiós", "hola", "perfecto", "genial", "merci", "revoir", "bonjour", "bonsoir", "salut",
    "parfait", "ciao", "appreciated", "appreciate"};
  return result;
}

const word_set& around_talk() {
  static const word_set result{"nope", "nah", "yep", "yeah", "nein", "ja", "non", "oui", "sí",
    "nada", "más", "rien", "d'autre", "mehr", "nichts", "you", "so", "very", "much", "a", "lot",
    "for", "your", "the", "help", "that", "that's", "is", "all", "i", "it", "good", "have", "day",
    "to", "there", "again", "and", "now", "was", "really", "see", "later", "soon", "care", "take",
    "then", "no", "more", "be", "nothing", "else", "everything", "one", "of", "my", "well", "yes",
    "done", "here", "too", "this", "everyone", "folks", "weekend", "helpful", "kind", "will",
    "need", "job", "work", "need", "vielen", "dank", "schön", "schönen", "tag", "noch", "auf",
    "guten", "morgen", "abend", "bis", "bald", "das", "war", "alles", "die", "hilfe", "für", "und",
    "muchas", "hasta", "luego", "buenos", "buenas", "días", "tardes", "noches", "por", "la",
    "ayuda", "todo", "eso", "es", "beaucoup", "au", "bonne", "journée", "pour", "votre", "ton",
    "aide", "à", "bientôt", "c'est", "tout", "mille", "fois", "y", "et", "dir", "ihnen", "euch",
    "sehr", "un", "que", "tenga", "buen", "día", "soirée"};
  return result;
}

const phrase_list& farewells() {
  static const phrase_list result{{"see you", "see ya", "talk to you", "talk soon", "have a good",
    "have a nice", "have a great", "take care", "until next time", "until tomorrow", "good luck",
    "sleep well", "bis morgen", "bis später", "bis dann", "mach's gut", "schönen abend",
    "schönes wochenende", "hasta mañana", "hasta luego", "nos vemos", "buen fin de semana",
    "à demain", "à plus", "à bientôt", "bon week", "bonne journée"}};
  return result;
}

const std::vector<std::string_view>& unspaced_questions() {
  static const std::vector<std::string_view> result{"?", "？", "吗", "多少", "什么", "哪", "几点",
    "怎么", "为什么", "谁", "是否", "ですか", "ますか", "でしょうか", "いくら", "何時", "どこ",
    "いつ", "なぜ", "誰"};
  return result;
}

const std::vector<std::string_view>& unspaced_doing() {
  static const std::vector<std::string_view> result{"请", "帮我", "预订", "订", "购买", "买",
    "发送", "发给", "支付", "付款", "转账", "取消", "删除", "打开", "关闭", "关掉", "开灯", "安装",
    "更新", "修改", "创建", "打印", "上传", "下载", "提醒", "播放", "重启", "启动", "设置", "退款",
    "预约して", "予約", "送って", "送信", "払って", "支払", "消して", "削除", "つけて", "開けて",
    "閉めて", "止めて", "取り消", "キャンセル", "買って", "注文", "変更", "更新", "作って", "作成",
    "印刷", "起動", "再起動", "インストール", "設定", "登録", "してください", "ください", "お願い",
    "して", "かけて", "入れて", "送到", "搬到", "运到", "放到", "拿到", "运走", "運んで", "届けて",
    "置いて", "移して"};
  return result;
}

const std::vector<std::string_view>& unspaced_further() {
  static const std::vector<std::string_view> result{"并发给", "并发送", "再发给", "并预订",
    "并支付", "并删除", "并通知", "并打印", "て送って", "て送信", "て予約", "て印刷", "て削除"};
  return result;
}

const std::vector<std::string_view>& unspaced_looking() {
  static const std::vector<std::string_view> result{"查一下", "查找", "查询", "搜索", "找一",
    "看看", "列出", "翻译", "计算", "比较", "調べて", "探して", "検索", "見せて", "一覧", "翻訳",
    "計算", "比べて", "確認", "教えて"};
  return result;
}

const std::vector<std::string_view>& unspaced_telling() {
  static const std::vector<std::string_view> result{
    "解释", "说明", "写一", "总结", "告诉我", "介绍", "説明", "書いて", "まとめて", "要約"};
  return result;
}

const std::vector<std::string_view>& unspaced_talk() {
  static const std::vector<std::string_view> result{"谢谢", "感谢", "多谢", "再见", "你好", "您好",
    "早上好", "晚安", "好的", "ありがとう", "さようなら", "こんにちは", "おはよう", "こんばんは",
    "おやすみ", "お疲れ", "助かりました", "またね", "失礼します"};
  return result;
}

const std::vector<std::vector<std::string>>& topics() {
  static const std::vector<std::vector<std::string>> result{
    {"flight", "fly", "airline", "plane", "flug", "vuelo", "avión", "vol", "avion", "航班", "机票",
      "飞机", "フライト", "航空券", "飛行機"},
    {"hotel", "room", "accommodation", "lodging", "stay", "hostel", "zimmer", "unterkunft",
      "habitación", "alojamiento", "chambre", "酒店", "房间", "ホテル", "宿"},
    {"restaurant", "table", "dinner", "lunch", "dining", "tisch", "mesa", "cena", "dîner", "餐厅",
      "餐馆", "订位", "レストラン", "ディナー"},
    {"car", "taxi", "cab", "ride", "rental", "auto", "mietwagen", "coche", "voiture", "出租车",
      "租车", "タクシー", "レンタカー"},
    {"train", "rail", "bus", "coach", "zug", "bahn", "tren", "火车", "高铁", "公交", "電車",
      "新幹線", "バス"},
    {"weather", "forecast", "temperature", "rain", "wetter", "tiempo", "clima", "météo", "天气",
      "气温", "天気", "気温"},
    {"mail", "email", "e-mail", "inbox", "send", "newsletter", "minutes", "schick", "schicke",
      "sende", "correo", "envía", "manda", "courriel", "courrier", "envoie", "邮件", "发送", "发给",
      "メール", "送って", "送信"},
    {"sms", "message", "chat", "text", "slack", "send", "notify", "tell", "nachricht", "mensaje",
      "短信", "消息", "メッセージ", "送って"},
    {"call", "phone", "dial", "telephone", "anrufen", "telefon", "llama", "appelle", "电话",
      "電話"},
    {"pay", "payment", "transfer", "wire", "invoice", "bill", "money", "bank", "charge", "balance",
      "account", "bezahl", "zahle", "überweis", "rechnung", "konto", "paga", "pago", "factura",
      "transfi", "cuenta", "paie", "paye", "paiement", "facture", "virement", "compte", "支付",
      "付款", "转账", "账单", "余额", "支払", "払って", "請求", "送金", "残高", "振込"},
    {"calendar", "room", "booking", "meeting", "appointment", "event", "schedule", "remind",
      "reminder", "slot", "visit", "termin", "kalender", "erinner", "reunión", "cita", "calendario",
      "recuérd", "réunion", "rendez", "calendrier", "rappel", "会议", "日历", "提醒", "预约",
      "会議", "予定", "カレンダー", "リマインド", "予約"},
    {"alarm", "timer", "wake", "wecker", "alarma", "réveil", "闹钟", "アラーム", "タイマー"},
    {"music", "song", "playlist", "track", "album", "play", "musik", "lied", "música", "canción",
      "musique", "chanson", "音乐", "歌曲", "播放", "音楽", "曲"},
    {"movie", "film", "cinema", "video", "theater", "theatre", "película", "电影", "映画"},
    {"light", "lamp", "bulb", "licht", "lampe", "luz", "lámpara", "lumière", "灯", "電気", "照明"},
    {"lock", "door", "gate", "unlock", "tür", "schloss", "puerta", "cerradura", "porte", "serrure",
      "锁", "门", "鍵", "ドア"},
    {"heating", "thermostat", "ac", "climate", "temperature", "heat", "cool", "heizung",
      "calefacción", "chauffage", "空调", "暖气", "エアコン", "暖房", "冷房"},
    {"vacuum", "mop", "clean", "staubsaug", "aspira", "扫地", "吸尘", "掃除"},
    {"paper", "reference", "citation", "article", "journal", "arxiv", "scholar", "doi", "aufsätz",
      "literatur", "artículo", "论文", "文献", "論文"},
    {"translate", "translation", "übersetz", "traduc", "tradui", "翻译", "翻訳"},
    {"deploy", "rollout", "release", "rollback", "staging", "production", "kubectl", "helm", "部署",
      "发布", "デプロイ"},
    {"order", "buy", "purchase", "sell", "parcel", "shipment", "package", "delivery", "refund",
      "return", "track", "shop", "cart", "kauf", "bestell", "paket", "liefer", "pedido", "paquete",
      "commande", "colis", "订单", "包裹", "快递", "退款", "注文", "荷物", "返金"},
    {"stock", "order", "buy", "sell", "share", "portfolio", "trade", "broker", "aktie", "acción",
      "股票", "株"},
    {"prescription", "dose", "drug", "medication", "pharmacy", "rezept", "medikament", "receta",
      "medicamento", "ordonnance", "médicament", "处方", "药", "処方", "薬"},
    {"news", "headline", "nachrichten", "noticias", "actualités", "新闻", "ニュース"},
    {"photo", "picture", "image", "camera", "foto", "bild", "imagen", "照片", "图片", "写真",
      "画像"},
    {"print", "printer", "drucke", "impri", "打印", "印刷", "プリンタ"},
    {"exchange", "currency", "fx", "dollar", "kurs", "divisa", "devise", "汇率", "為替"},
  };
  return result;
}

} // namespace scratchpage::policies
