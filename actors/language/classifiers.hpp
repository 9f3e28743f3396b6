#pragma once

#include "scratchpage/actors/language/text_classifier.hpp"

/// The classifiers of this program. `training/sentences/` has the sentences that each was made
/// from. Each function may be called on any thread, and returns the same object every time.

namespace scratchpage::language {

/// Decides what a response of an agent does: asks for consent, for something it lacks, or for a
/// choice; offers more; tells of a success or a failure; or tells something else.
const text_classifier& response();

/// Decides how a person answers a question: agrees, declines, changes what was asked, or does none
/// of these.
const text_classifier& reply();

/// Decides what a person's input is about: a wish, a question that the answer at hand satisfies,
/// the end of a wish, its being done, talk.
const text_classifier& wish();

/// Decides how urgent an input is by what it means.
const text_classifier& urgency();

/// Decides whether an input has to be asked about before anybody can act on it.
const text_classifier& clarity();

/// Decides the class of an error from its text.
const text_classifier& failure();

/// Decides whether a text that a tool gave tells of a success or of a failure.
const text_classifier& output();

/// Decides whether an observation asks for a goal.
const text_classifier& worth();

/// Decides whether a text says something about people, things or ways of working that holds beyond
/// its turn.
const text_classifier& statement();

} // namespace scratchpage::language
