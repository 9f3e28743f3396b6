#pragma once

#include <string>
#include <string_view>

#include "scratchpage/actors/policies/fact_wording.hpp"

/// How clauses in German, Spanish and French are retold (`retell`).

namespace scratchpage {

retold german(std::string_view clause, std::string_view said_before);
retold spanish(std::string_view clause, std::string_view said_before);
retold french(std::string_view clause, std::string_view said_before);

/// The third person of a Spanish verb in the first person; other words as they are.
std::string spanish_verb(const std::string& verb);

} // namespace scratchpage
