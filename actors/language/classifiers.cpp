#include "scratchpage/actors/language/classifiers.hpp"

#include <string_view>
#include <utility>

namespace scratchpage {

namespace embedded {

extern const std::string_view weights_response;
extern const std::string_view weights_reply;
extern const std::string_view weights_wish;
extern const std::string_view weights_urgency;
extern const std::string_view weights_clarity;
extern const std::string_view weights_failure;
extern const std::string_view weights_output;
extern const std::string_view weights_worth;
extern const std::string_view weights_statement;

} // namespace embedded

namespace language {

namespace {

/// The weights are part of the program, and a test reads all of them.
text_classifier made_of(std::string_view weights) {
  return std::move(*text_classifier::read(weights));
}

} // namespace

const text_classifier& response() {
  static const auto result = made_of(embedded::weights_response);
  return result;
}

const text_classifier& reply() {
  static const auto result = made_of(embedded::weights_reply);
  return result;
}

const text_classifier& wish() {
  static const auto result = made_of(embedded::weights_wish);
  return result;
}

const text_classifier& urgency() {
  static const auto result = made_of(embedded::weights_urgency);
  return result;
}

const text_classifier& clarity() {
  static const auto result = made_of(embedded::weights_clarity);
  return result;
}

const text_classifier& failure() {
  static const auto result = made_of(embedded::weights_failure);
  return result;
}

const text_classifier& output() {
  static const auto result = made_of(embedded::weights_output);
  return result;
}

const text_classifier& worth() {
  static const auto result = made_of(embedded::weights_worth);
  return result;
}

const text_classifier& statement() {
  static const auto result = made_of(embedded::weights_statement);
  return result;
}

} // namespace language

} // namespace scratchpage
