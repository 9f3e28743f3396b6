#pragma once

/// What a program that embeds the team needs. docs/embedding.md leads through it.

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/policies/policies.hpp"
#include "scratchpage/actors/tools/tool_definition.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/type_ids.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/runtime/config/settings.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"
#include "scratchpage/runtime/host/executor_node.hpp"
