#include "scratchpage/actors/policies/told_facts.hpp"

#include <algorithm>

#include "scratchpage/actors/policies/statement_signs.hpp"
#include "scratchpage/actors/policies/statement_stems.hpp"

namespace scratchpage {

namespace {

bool has_named(const std::vector<stated_fact>& facts) {
  return std::any_of(
    facts.begin(), facts.end(), [](const stated_fact& one) { return one.is_named; });
}

} // namespace

std::vector<stated_fact> told_facts::read(std::string_view text, const std::string& speaker) {
  auto facts = read_facts(text, fact_speaker::user);
  if (tells_change(text)) {
    correct(text, speaker, facts);
  } else if (tells_again(text) && !tells_secret(text) && !has_named(facts)) {
    if (auto* known = nearest(statement_stems(text), speaker))
      return {known->fact};
  }
  for (const auto& one : facts)
    note(speaker, one);
  return facts;
}

size_t told_facts::kept_bytes() const {
  size_t result = 0;
  for (const auto& one : told_) {
    result += one.speaker.size() + one.fact.statement.size() + one.fact.subject.size()
              + one.fact.attribute.size();
    for (const auto& stem : one.stems)
      result += stem.size();
  }
  return result;
}

/// The speaker's fact whose attribute is named in a text, or that shares most with a text, if that
/// is at least half of what it is about.
told_facts::entry* told_facts::nearest(
  const std::set<std::string>& stems, const std::string& speaker) {
  entry* best = nullptr;
  double most = 0.5;
  for (auto i = told_.rbegin(); i != told_.rend(); ++i) {
    if (i->speaker != speaker || i->stems.empty())
      continue;
    if (i->fact.is_named) { // it is meant only if it is named
      auto name = statement_stems(i->fact.attribute);
      if (!name.empty() && shared_stems(stems, name) == name.size() && best == nullptr)
        best = &*i;
      continue;
    }
    auto part = static_cast<double>(shared_stems(stems, i->stems))
                / static_cast<double>(std::min(i->stems.size(), std::max<size_t>(2, stems.size())));
    if (part > most || (part == most && best == nullptr)) {
      most = part;
      best = &*i;
    }
  }
  return best;
}

/// Each fact of the text takes the place of the earlier one that it is nearest to. What the text
/// tells beside its facts ("I sold the Golf") concerns the last of them.
void told_facts::correct(
  std::string_view text, const std::string& speaker, std::vector<stated_fact>& facts) {
  std::set<std::string> taken;
  for (size_t i = 0; i < facts.size(); ++i) {
    if (facts[i].is_named)
      continue;
    auto* known = nearest(statement_stems(facts[i].statement), speaker);
    if (known == nullptr && i + 1 == facts.size())
      known = nearest(statement_stems(text), speaker);
    if (known == nullptr || !taken.insert(known->fact.attribute).second)
      continue;
    facts[i].subject = known->fact.subject;
    facts[i].attribute = known->fact.attribute;
  }
}

void told_facts::note(const std::string& speaker, const stated_fact& x) {
  std::erase_if(told_, [&](const entry& one) {
    return one.speaker == speaker && one.fact.attribute == x.attribute
           && one.fact.subject == x.subject;
  });
  told_.push_back({speaker, x, statement_stems(x.statement)});
  if (told_.size() > told_facts_limits::facts)
    told_.pop_front();
}

} // namespace scratchpage
