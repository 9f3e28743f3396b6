#include "scratchpage/actors/policies/english_bearing.hpp"

#include <algorithm>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/fact_wording.hpp"

namespace scratchpage {

namespace {

constexpr double english_rather = 0.15;  // lasting by its grammar
constexpr double english_likely = 0.35;  // rather lasting
constexpr double english_open = 0.5;     // the classifier decides
constexpr double english_unlikely = 0.8; // passing by its grammar
constexpr double english_pointing = 0.5; // added if the clause points at something outside of it

/// Deeds and thoughts of a moment, and what is asked for.
bool is_of_the_moment(std::string_view verb) {
  static const policies::known_words list{"understand", "appreciate", "confirm", "hope", "think",
    "guess", "believe", "remember", "recall", "see", "mean", "agree", "know", "wonder", "apologize",
    "apologise", "thank", "say", "ask", "insist", "accept", "acknowledge", "suppose", "look",
    "wait", "promise", "doubt", "wish", "expect", "request", "proceed", "choose", "pick", "select",
    "opt", "decide", "mind", "care", "realize", "realise", "notice", "assume", "check", "try",
    "will", "would", "could", "should", "shall", "may", "might", "was", "were", "did", "didn't",
    "wasn't", "won't", "wouldn't", "had", "feel", "give", "let", "hear", "book", "call", "repeat",
    "bet", "told", "said", "went", "came", "got", "did", "made", "just", "thought", "saw", "found",
    "forgot", "sent", "bought", "heard", "paid", "ate", "took", "felt", "left", "knew", "am", "are",
    "authorize", "authorise", "approve", "consent", "understood", "swear", "regret", "apply",
    "wanted", "needed", "wanna", "gotta", "provide", "continue", "explore", "cancel", "upgrade",
    "downgrade", "update", "add", "remove", "receive", "meant", "happen", "seem", "'ll", "went",
    "paste", "attach", "owe"};
  return list.contains(verb);
}

/// Habits, possessions, tastes, and what else lasts.
bool is_of_a_life(std::string_view verb) {
  static const policies::known_words list{"live", "work", "drink", "eat", "speak", "teach", "study",
    "play", "drive", "own", "use", "wear", "suffer", "hate", "love", "dislike", "prefer", "sleep",
    "run", "smoke", "travel", "commute", "fly", "walk", "take", "report", "collect", "sing",
    "practise", "practice", "cook", "bank", "vote", "support", "manage", "lead", "earn", "weigh",
    "share", "raise", "breed", "cycle", "swim", "volunteer", "tutor", "belong", "come", "rent",
    "heat", "learn", "code", "program", "cite", "invoice", "sell", "supply", "deploy", "meet",
    "follow", "celebrate", "observe", "believe", "fast", "train", "inject", "faint", "rely",
    "listen", "paint", "tolerate", "stutter", "snore", "identify", "specialise", "specialize",
    "freelance", "garden", "hike", "knit", "grow", "keep", "close", "open", "publish", "store",
    "name", "write"};
  return list.contains(verb);
}

bool is_past_of_a_life(std::string_view verb) {
  static const policies::known_words list{"moved", "quit", "stopped", "gave", "switched", "retired",
    "married", "divorced", "graduated", "grew", "became", "turned", "adopted", "changed",
    "converted", "was", "emigrated", "founded", "inherited", "served", "lost", "broke"};
  return list.contains(verb);
}

/// Whether the clause speaks of all times or things of its kind.
bool is_english_general(const policies::texts& lower) {
  static const phrase_list signs{{"always", "never", "every", "everywhere", "usually", "generally",
    "in general", "from now on", "wherever", "whenever", "any time", "as a rule", "by default",
    "all my", "all our", "each", "only ever", "normally", "mostly", "ever", "mondays", "tuesdays",
    "wednesdays", "thursdays", "fridays", "saturdays", "sundays", "weekends", "mornings",
    "evenings", "nights", "weekdays", "at all times", "for life", "in future", "for good",
    "permanently", "everything", "at home", "on principle", "since"}};
  return signs.find_in(lower) != nullptr;
}

/// Whether the clause refers to what was said or is at hand, or speaks to the listener.
bool is_pointing(const policies::texts& lower) {
  static const policies::known_words signs{"this", "those", "these", "here", "you", "your",
    "instead", "it", "it's", "you're", "that's", "there's", "which", "earlier", "already", "above",
    "below", "option", "following"};
  static const policies::known_words places{"project", "house", "team", "company", "repo",
    "repository", "office", "household", "family", "codebase", "lab", "department", "flat",
    "school", "service", "app", "class", "building", "country", "city", "shop", "clinic", "year"};
  static const policies::known_words circumstance{"when", "if", "whenever", "because"};
  for (size_t i = 0; i < lower.size(); ++i) {
    static const policies::known_words before{
      "within", "at", "in", "for", "on", "to", "with", "of", "from"};
    if (lower[i] == "that" && (i + 1 == lower.size() || (i > 0 && before.contains(lower[i - 1]))))
      return true;
    auto is_change = lower[i] == "instead" && i + 1 == lower.size() && lower[0] == "i" && i < 4;
    if (!signs.contains(lower[i]) || is_change)
      continue;
    auto is_place = i + 1 < lower.size() && places.contains(lower[i + 1]);
    auto is_weather = lower[i].starts_with("it") && i > 0 && circumstance.contains(lower[i - 1]);
    if (!is_place && !is_weather)
      return true;
  }
  return false;
}

double pointed(double need, const policies::texts& lower) {
  return is_pointing(lower) ? need + english_pointing : need;
}

/// What is at hand only now: a question, an order, a booking.
bool is_thing_of_the_moment(std::string_view noun) {
  static const policies::known_words list{"question", "questions", "problem", "problems", "issue",
    "issues", "request", "reservation", "reservations", "booking", "bookings", "flight", "flights",
    "order", "orders", "ticket", "tickets", "trip", "plans", "concern", "concerns", "time", "idea",
    "appointment", "doubt", "doubts", "apologies", "understanding", "goal", "complaint", "delivery",
    "parcel", "package", "refund", "claim", "payment", "balance", "total", "confirmation", "answer",
    "point", "decision", "choice", "itinerary", "stay", "visit", "case", "situation", "reason",
    "reasons", "received", "noticed", "tried", "decided", "got", "no", "everything", "details",
    "information", "access", "trouble", "call", "something", "seen", "made", "had", "booked",
    "bought", "heard", "lost", "found", "thought", "checked", "first", "headache", "feeling",
    "baggage", "suitcase", "suitcases", "passenger", "passengers", "id", "username", "user",
    "luggage", "bag", "bags", "next", "last", "current", "upcoming", "purchase", "screen", "train",
    "bus", "taxi", "other", "previous", "recent", "final"};
  return list.contains(noun);
}

/// "slipped", but not "is closed": the first verb is in the past.
bool tells_of_past(const policies::texts& lower) {
  static const policies::known_words verbs{"is", "are", "be", "has", "have", "get", "gets", "must",
    "need", "needs", "based", "red", "bed"};
  static const policies::known_words irregular{"sold", "lost", "bought", "got", "went", "came",
    "left", "broke", "wrote", "forgot", "ran", "took", "fell", "ate", "gave", "said", "told",
    "made"};
  for (const auto& word : lower) {
    if (verbs.contains(word))
      return false;
    if ((word.size() > 4 && word.ends_with("ed")) || irregular.contains(word))
      return true;
  }
  return false;
}

/// "Hall light off at eleven" states nothing: it has no verb that could.
bool has_stating_verb(const policies::texts& lower) {
  static const policies::known_words verbs{"is", "are", "was", "were", "has", "have", "had", "do",
    "does", "did", "can", "cannot", "will", "must", "should", "may", "get", "gets", "go", "goes",
    "run", "runs", "come", "comes", "take", "takes", "eat", "eats", "hates", "loves", "likes",
    "prefers", "belong", "belongs", "speak", "speaks", "close", "closes", "open", "opens", "start",
    "starts", "begin", "begins", "end", "ends", "need", "needs", "sleep", "sleeps", "play", "plays",
    "work", "works", "live", "lives", "mean", "means", "make", "makes", "cost", "costs", "use",
    "uses", "want", "wants", "know", "knows", "send", "sends", "give", "gives", "keep", "keeps",
    "stay", "stays", "arrive", "arrives", "leave", "leaves", "pay", "pays", "sit", "sits", "stand",
    "stands", "read", "reads", "write", "writes", "handle", "handles", "manage", "manages", "own",
    "owns", "cover", "covers", "contain", "contains", "happen", "happens", "scare", "scares",
    "annoy", "annoys", "bother", "bothers", "hurt", "hurts", "suit", "suits", "expire", "expires",
    "ship", "ships", "report", "reports", "deploy", "deploys", "meet", "meets", "died", "let",
    "lets", "call", "calls", "allow", "allows", "require", "requires", "last", "lasts", "support",
    "supports", "tend", "tends", "stop", "stops", "fit", "fits", "taste", "tastes", "drive",
    "drives", "depend", "depends", "produce", "produces", "follow", "follows", "serve", "serves",
    "set", "sets", "count", "counts", "turn", "turns", "cause", "causes", "wear", "wears", "lie",
    "lies", "hold", "holds", "store", "stores", "look", "looks", "feel", "feels", "bring", "brings",
    "drink", "drinks", "like", "hate", "love", "prefer", "show", "shows", "refuse", "refuses",
    "sing", "sings", "study", "studies", "learn", "learns", "teach", "teaches"};
  static const policies::known_words of_one{"the", "this", "our", "my", "each", "every"};
  for (size_t i = 2; i + 1 < lower.size() && i < 4; ++i) // "the car seats five"
    if (of_one.contains(lower[0]) && lower[i].ends_with('s') && !lower[i].ends_with("ss"))
      return true;
  return std::any_of(lower.begin() + 1, lower.end(), [](const std::string& word) {
    return verbs.contains(word) || word.ends_with("n't") || word.ends_with("'s")
           || word.ends_with("'re") || (word.size() > 4 && word.ends_with("ed"));
  });
}

/// "Tomasz gets them": nobody knows later what is meant.
bool ends_pointing(const policies::texts& lower) {
  static const policies::known_words pointers{"them", "it", "that", "this", "him", "her", "those"};
  return pointers.contains(lower.back());
}

bool is_done_now(std::string_view word) {
  static const policies::known_words lasting{"learning", "studying", "doing", "writing", "raising",
    "training", "living", "working", "teaching", "saving", "renting", "hearing", "building"};
  return word.ends_with("ing") && word.size() > 4 && !lasting.contains(word);
}

bool is_mood(std::string_view word) {
  static const policies::known_words list{"sorry", "sure", "certain", "glad", "happy", "unhappy",
    "frustrated", "worried", "ready", "done", "back", "here", "late", "fine", "good", "okay", "ok",
    "unable", "aware", "curious", "in", "able", "pleased", "disappointed", "confused", "tired",
    "hungry", "thirsty", "busy", "stuck", "lost", "upset", "angry", "excited", "bored", "afraid",
    "about", "on", "at", "home", "just", "grateful", "surprised", "concerned", "willing", "open",
    "set", "out", "off", "up", "so", "really", "very", "too", "still", "quite", "rather", "bit",
    "little", "interested", "comfortable", "satisfied", "thankful", "insistent", "adamant",
    "hopeful", "tempted", "convinced", "positive", "sick", "free", "eager", "hoping"};
  return list.contains(word);
}

/// "Log my insulin": a verb, as far as its object tells.
bool looks_like_order(const policies::texts& lower) {
  static const policies::known_words objects{"my", "the", "a", "an", "me", "our", "this", "that"};
  static const policies::known_words no_verbs{"all", "half", "both", "only", "even", "in", "at",
    "on", "for", "during", "not", "what", "such", "many", "when", "whenever", "besides", "outside",
    "inside", "within", "without", "under", "over", "between", "twice"};
  return lower.size() > 2 && objects.contains(lower[1]) && !no_verbs.contains(lower[0]);
}

} // namespace

bool is_english_adverb(std::string_view word) {
  static const policies::known_words adverbs{"always", "never", "usually", "only", "often",
    "mostly", "really", "also", "just", "still", "now", "generally", "rarely", "hardly", "mainly",
    "all", "both", "finally", "normally", "currently", "regularly", "typically", "exclusively",
    "strictly", "almost", "absolutely", "simply", "definitely", "sometimes", "actually"};
  static const policies::known_words no_adverbs{"reply", "supply", "apply", "early", "family",
    "imply", "italy", "comply", "multiply", "ally", "belly", "jelly", "lily", "bully", "july"};
  return adverbs.contains(word)
         || (word.size() > 4 && word.ends_with("ly") && !no_adverbs.contains(word));
}

double english_need_of_deed(const policies::texts& lower, size_t verb) {
  auto is_denied = [&](size_t i) {
    return lower[i] == "don't" || lower[i] == "do" || lower[i] == "not" || lower[i] == "can"
           || lower[i] == "can't" || lower[i] == "cannot" || lower[i] == "must";
  };
  auto able = lower[verb] == "can" && verb + 1 < lower.size() && lower[verb + 1] != "only";
  auto unable = lower[verb] == "can't" || lower[verb] == "cannot";
  while (verb + 1 < lower.size() && (is_denied(verb) || is_english_adverb(lower[verb])))
    ++verb;
  const auto& what = lower[verb];
  static const phrase_list at_hand{{"on hand", "with me", "handy", "at hand", "in front of me",
    "within that", "at that", "for that", "on that", "with that"}};
  static const policies::known_words origins{"born", "raised", "diagnosed", "brought", "adopted"};
  if (what == "was" && verb + 1 < lower.size() && origins.contains(lower[verb + 1]))
    return pointed(english_likely, lower);
  static const policies::known_words trade{"accept", "book", "give", "provide", "call", "offer"};
  auto is_custom = lower[0] == "we" && trade.contains(what) && verb > 1
                   && (lower[verb - 1] == "don't" || lower[verb - 1] == "not");
  if (is_custom)
    return pointed(english_likely, lower);
  auto is_refusal = what == "won't" && verb + 1 < lower.size() && is_of_a_life(lower[verb + 1]);
  if (is_refusal || (what == "get" && verb + 1 < lower.size() && lower[verb + 1] == "paid"))
    return pointed(is_refusal ? english_likely : english_rather, lower);
  if (at_hand.find_in(lower) != nullptr || (is_of_the_moment(what) && !is_english_general(lower)))
    return retold::never;
  if (what == "have" || what == "haven't")
    return english_need_of_having(lower, verb + 1);
  if (what == "need" || what == "want" || what == "require" || what == "like")
    return pointed(is_english_general(lower) ? english_rather
                   : what == "like"          ? english_open
                                             : english_unlikely,
      lower);
  if (is_past_of_a_life(what))
    return pointed(english_likely, lower);
  static const policies::known_words endings{
    "dropped", "sold", "left", "ended", "finished", "cancelled"};
  if (endings.contains(what))
    return retold::never;
  if (what.ends_with("ed") && what != "need")
    return 0.9;
  if (is_of_a_life(what))
    return pointed(is_english_general(lower) ? english_rather : 0.25, lower);
  return pointed(able                                  ? 0.65
                 : unable || is_english_general(lower) ? english_likely
                                                       : english_open,
    lower);
}

double english_need_of_state(const policies::texts& lower, size_t from) {
  while (from < lower.size() && (lower[from] == "not" || is_english_adverb(lower[from])))
    ++from;
  if (from >= lower.size())
    return retold::never;
  static const phrase_list states{{"in a wheelchair", "in recovery", "in remission",
    "in a relationship", "in my twenties", "in my thirties", "in my forties", "in my fifties",
    "in my sixties", "in my seventies", "in my eighties", "at university", "in care", "on a diet",
    "on a tight budget", "on a budget", "on a pension", "on parental leave", "on maternity leave",
    "on benefits", "on probation", "on the early shift", "on the late shift", "on the night shift",
    "on nights", "on earlies", "on lates", "on early shifts", "on late shifts", "on night shifts"}};
  if (states.find_in(lower) != nullptr)
    return 0.3;
  static const policies::known_words at_hand{"this", "that", "it", "the", "you", "my", "them"};
  if (lower[from] == "done" && from + 2 < lower.size() && lower[from + 1] == "with"
      && !at_hand.contains(lower[from + 2]))
    return 0.4;
  static const policies::known_words lasting_moods{"interested", "afraid", "on"};
  if (is_english_general(lower) && !is_done_now(lower[from]))
    return pointed(english_likely, lower);
  auto is_dose = lower[from] == "on" && from + 2 < lower.size() // "on 50 mg of something"
                 && lower[from + 1].find_first_of("0123456789") == 0;
  if (is_dose)
    return 0.3;
  if (lasting_moods.contains(lower[from]))
    return pointed(from + 2 < lower.size() && is_done_now(lower[from + 2]) ? 0.9 : 0.6, lower);
  if (lower[from].find('_') != std::string::npos) // the name of an account
    return retold::never;
  if (is_mood(lower[from]) || is_done_now(lower[from]))
    return lower[from] == "in" || lower[from] == "at" ? 0.9 : retold::never;
  if (lower[from] == "a" || lower[from] == "an" || lower[from] == "the") {
    auto of_mood = from + 1 < lower.size() && is_mood(lower[from + 1]);
    return of_mood ? retold::never : pointed(lower[from] == "the" ? english_likely : 0.2, lower);
  }
  return pointed(english_likely, lower);
}

double english_need_of_having(const policies::texts& lower, size_t from) {
  static const policies::known_words body{"kidney", "kidneys", "back", "knee", "knees", "heart",
    "leg", "legs", "arm", "hand", "hands", "eye", "eyes", "ear", "ears", "lung", "lungs", "hip",
    "hips", "shoulder", "spine", "liver", "stomach", "skin", "allergy", "allergies", "diabetes",
    "asthma", "epilepsy", "dyslexia", "autism", "adhd", "pacemaker", "implant", "prosthesis"};
  static const policies::known_words pain{"ache", "itch", "cold", "burn", "cut", "hurt"};
  if (from < lower.size() && lower.size() < from + 6 && policies::has_word(lower, body)
      && !policies::has_word(lower, pain))
    return pointed(0, lower);
  static const policies::known_words deeds{"to", "been", "just", "already", "had"};
  auto lasts = from < lower.size() && (lower[from] == "had" || lower[from] == "been")
               && policies::has_word(lower, policies::known_words{"for", "since"})
               && !(from + 1 < lower.size() && is_done_now(lower[from + 1]));
  if (from < lower.size() && deeds.contains(lower[from]) && !is_english_general(lower) && !lasts)
    return retold::never;
  static const phrase_list past{{"always had", "never had", "had great", "had good", "had bad"}};
  if (past.find_in(lower) != nullptr)
    return 0.97;
  auto last = std::min(from + 4, lower.size());
  for (auto i = from; i < last; ++i)
    if (is_thing_of_the_moment(lower[i]) && !is_english_general(lower)
        && !(lasts && (lower[i] == "had" || lower[i] == "been")))
      return lower[i] == "no" ? pointed(english_likely, lower) : retold::never;
  return pointed(english_likely, lower);
}

double english_need_of_possession(const policies::texts& lower) {
  auto last = std::min<size_t>(4, lower.size());
  for (size_t i = 1; i < last; ++i) {
    static const policies::known_words verbs{
      "is", "are", "has", "have", "was", "were", "needs", "wants"};
    if (verbs.contains(lower[i]))
      break;
    if (is_thing_of_the_moment(lower[i]) && !is_english_general(lower))
      return retold::never;
  }
  static const policies::known_words past{
    "was", "were", "did", "got", "passed", "came", "went", "told", "said", "broke", "stopped"};
  static const phrase_list moments{{"is sick", "is really sick", "is very sick", "is so sick",
    "is ill", "is tired", "is hungry", "is late", "is ready", "is upset", "is angry", "is lost",
    "is stuck", "is crying", "is asleep", "is broken", "is missing", "is delayed", "is cancelled",
    "is cold", "is hot", "is wrong", "are tired", "are hungry", "are sick", "is not working",
    "isn't working", "won't", "is unwell", "is cracked", "are here", "is here"}};
  if (moments.find_in(lower) != nullptr && !is_english_general(lower))
    return 0.95;
  return pointed(policies::has_word(lower, past) ? 0.7 : 0.22, lower);
}

double english_need_of_statement(const policies::texts& lower) {
  static const policies::known_words dependent{"if", "before", "as", "after", "once", "while",
    "until", "although", "though", "to", "with", "from", "by", "of", "or", "then", "yes", "sure",
    "ok", "okay", "thanks", "thank", "let's", "let", "proceed", "ensure", "confirm", "confirming",
    "first", "last", "dates", "hello", "hi", "sorry", "great", "perfect", "what", "who", "how",
    "why", "where", "which", "none", "neither", "can", "could", "would", "will", "should", "is",
    "are", "do", "does", "did", "i'll", "we'll", "they", "you", "you're", "there", "there's",
    "that", "that's", "this", "it's", "it"};
  static const policies::known_words spoken_to{"you", "your", "i", "i'm", "i'll", "i'd"};
  static const policies::known_words vague{"something", "anything", "surely", "somebody", "someone",
    "nothing", "perhaps", "obviously", "apparently", "hopefully"};
  auto is_vague = vague.contains(lower[0]) && !is_english_general(lower);
  if (lower.size() < 3 || dependent.contains(lower[0]) || is_vague || ends_pointing(lower))
    return retold::never;
  static const phrase_list general{{"always", "never", "every", "each", "usually", "as a rule"}};
  if (!has_stating_verb(lower) && general.find_in(lower) == nullptr)
    return retold::never;
  static const policies::known_words sums{"cost", "price", "fare", "fee", "charge", "amount",
    "total", "costs", "fees", "charges", "difference"};
  for (size_t i = 0; i < std::min<size_t>(3, lower.size()); ++i)
    if (sums.contains(lower[i]) && !is_english_general(lower))
      return retold::never;
  if (tells_of_past(lower))
    return english_unlikely;
  static const policies::known_words circumstance{"in", "at", "on", "for", "when", "whenever"};
  auto need = is_english_general(lower)         ? english_likely
              : circumstance.contains(lower[0]) ? english_open
                                                : 0.6;
  static const phrase_list norms{{"must", "must not", "only", "allowed", "may not", "has to",
    "have to", "not allowed", "due on", "need to be", "needs to be", "forbidden", "required"}};
  if (norms.find_in(lower) != nullptr && !policies::has_word(lower, spoken_to))
    need = std::min(need, english_likely);
  if (looks_like_order(lower))
    return pointed(english_unlikely, lower);
  static const phrase_list effects{{"make me", "makes me", "give me", "gives me", "scare me",
    "scares me", "annoy me", "annoys me", "bother me", "bothers me", "need my", "needs my"}};
  if (effects.find_in(lower) != nullptr)
    need = english_likely;
  static const phrase_list of_mine{{"is my", "are my", "is our", "are our"}};
  if (of_mine.find_in(lower) != nullptr)
    need = english_likely;
  return pointed(policies::has_word(lower, spoken_to) ? need + 0.2 : need, lower);
}

} // namespace scratchpage
