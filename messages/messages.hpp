#pragma once

/// Includes the whole vocabulary.

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/conversation.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/files.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/memory_operations.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/operation.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/messages/tool.hpp"
#include "scratchpage/messages/trace.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/messages/type_ids.hpp"
