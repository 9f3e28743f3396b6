#include "scratchpage/actors/language/irregular_verbs.hpp"

#include <algorithm>
#include <array>

namespace scratchpage {

namespace {

struct verb_form {
  std::string_view form;
  std::string_view infinitive;
};

/// By their forms.
constexpr std::array<verb_form, 220> verb_forms{{{"arisen", "arise"}, {"arose", "arise"},
  {"ate", "eat"}, {"awoke", "awake"}, {"awoken", "awake"}, {"beaten", "beat"}, {"became", "become"},
  {"befallen", "befall"}, {"befell", "befall"}, {"began", "begin"}, {"begun", "begin"},
  {"beheld", "behold"}, {"bent", "bend"}, {"bitten", "bite"}, {"bled", "bleed"}, {"blew", "blow"},
  {"blown", "blow"}, {"bought", "buy"}, {"bred", "breed"}, {"broke", "break"}, {"broken", "break"},
  {"brought", "bring"}, {"built", "build"}, {"burnt", "burn"}, {"came", "come"},
  {"caught", "catch"}, {"chose", "choose"}, {"chosen", "choose"}, {"clung", "cling"},
  {"crept", "creep"}, {"dealt", "deal"}, {"drank", "drink"}, {"drawn", "draw"}, {"dreamt", "dream"},
  {"drew", "draw"}, {"driven", "drive"}, {"drove", "drive"}, {"drunk", "drink"}, {"dug", "dig"},
  {"dwelt", "dwell"}, {"eaten", "eat"}, {"fallen", "fall"}, {"fed", "feed"}, {"fell", "fall"},
  {"felt", "feel"}, {"fled", "flee"}, {"flew", "fly"}, {"flown", "fly"}, {"flung", "fling"},
  {"forbade", "forbid"}, {"forbidden", "forbid"}, {"foresaw", "foresee"}, {"foreseen", "foresee"},
  {"foretold", "foretell"}, {"forgave", "forgive"}, {"forgiven", "forgive"}, {"forgot", "forget"},
  {"forgotten", "forget"}, {"forsaken", "forsake"}, {"forsook", "forsake"}, {"fought", "fight"},
  {"found", "find"}, {"froze", "freeze"}, {"frozen", "freeze"}, {"gave", "give"}, {"given", "give"},
  {"goes", "go"}, {"gone", "go"}, {"got", "get"}, {"gotten", "get"}, {"grew", "grow"},
  {"grown", "grow"}, {"heard", "hear"}, {"held", "hold"}, {"hid", "hide"}, {"hidden", "hide"},
  {"hung", "hang"}, {"kept", "keep"}, {"knelt", "kneel"}, {"knew", "know"}, {"known", "know"},
  {"laid", "lay"}, {"lain", "lie"}, {"leant", "lean"}, {"leapt", "leap"}, {"learnt", "learn"},
  {"led", "lead"}, {"left", "leave"}, {"lent", "lend"}, {"lit", "light"}, {"lost", "lose"},
  {"made", "make"}, {"meant", "mean"}, {"met", "meet"}, {"mislaid", "mislay"},
  {"misled", "mislead"}, {"mistaken", "mistake"}, {"mistook", "mistake"},
  {"misunderstood", "misunderstand"}, {"mown", "mow"}, {"outgrew", "outgrow"},
  {"outgrown", "outgrow"}, {"overcame", "overcome"}, {"overheard", "overhear"},
  {"oversaw", "oversee"}, {"overseen", "oversee"}, {"overslept", "oversleep"},
  {"overtaken", "overtake"}, {"overthrew", "overthrow"}, {"overthrown", "overthrow"},
  {"overtook", "overtake"}, {"paid", "pay"}, {"proven", "prove"}, {"ran", "run"}, {"rang", "ring"},
  {"rebuilt", "rebuild"}, {"repaid", "repay"}, {"retold", "retell"}, {"rewritten", "rewrite"},
  {"rewrote", "rewrite"}, {"ridden", "ride"}, {"risen", "rise"}, {"rode", "ride"}, {"rung", "ring"},
  {"said", "say"}, {"sang", "sing"}, {"sank", "sink"}, {"sat", "sit"}, {"saw", "see"},
  {"seen", "see"}, {"sent", "send"}, {"sewn", "sew"}, {"shaken", "shake"}, {"shone", "shine"},
  {"shook", "shake"}, {"shot", "shoot"}, {"shown", "show"}, {"shrank", "shrink"},
  {"shrunk", "shrink"}, {"slain", "slay"}, {"slept", "sleep"}, {"slew", "slay"}, {"slid", "slide"},
  {"slung", "sling"}, {"smelt", "smell"}, {"sold", "sell"}, {"sought", "seek"}, {"sown", "sow"},
  {"spat", "spit"}, {"sped", "speed"}, {"spelt", "spell"}, {"spent", "spend"}, {"spilt", "spill"},
  {"spoilt", "spoil"}, {"spoke", "speak"}, {"spoken", "speak"}, {"sprang", "spring"},
  {"sprung", "spring"}, {"spun", "spin"}, {"stank", "stink"}, {"stole", "steal"},
  {"stolen", "steal"}, {"stood", "stand"}, {"stricken", "strike"}, {"stridden", "stride"},
  {"striven", "strive"}, {"strode", "stride"}, {"strove", "strive"}, {"struck", "strike"},
  {"strung", "string"}, {"stuck", "stick"}, {"stung", "sting"}, {"stunk", "stink"},
  {"sung", "sing"}, {"sunk", "sink"}, {"swam", "swim"}, {"swept", "sweep"}, {"swollen", "swell"},
  {"swore", "swear"}, {"sworn", "swear"}, {"swum", "swim"}, {"swung", "swing"}, {"taken", "take"},
  {"taught", "teach"}, {"thought", "think"}, {"threw", "throw"}, {"throve", "thrive"},
  {"thrown", "throw"}, {"told", "tell"}, {"took", "take"}, {"tore", "tear"}, {"torn", "tear"},
  {"trod", "tread"}, {"trodden", "tread"}, {"undergoes", "undergo"}, {"undergone", "undergo"},
  {"understood", "understand"}, {"undertaken", "undertake"}, {"undertook", "undertake"},
  {"underwent", "undergo"}, {"undid", "undo"}, {"undoes", "undo"}, {"undone", "undo"},
  {"upheld", "uphold"}, {"went", "go"}, {"wept", "weep"}, {"withdrawn", "withdraw"},
  {"withdrew", "withdraw"}, {"withheld", "withhold"}, {"withstood", "withstand"}, {"woke", "wake"},
  {"woken", "wake"}, {"won", "win"}, {"wore", "wear"}, {"worn", "wear"}, {"wove", "weave"},
  {"woven", "weave"}, {"written", "write"}, {"wrote", "write"}, {"wrung", "wring"}}};

static_assert(std::ranges::is_sorted(verb_forms, {}, &verb_form::form));

} // namespace

std::string_view infinitive_of(std::string_view word) {
  auto i = std::ranges::lower_bound(verb_forms, word, {}, &verb_form::form);
  return i != verb_forms.end() && i->form == word ? i->infinitive : word;
}

} // namespace scratchpage
