#pragma once

namespace scratchpage {

/// The calling thread gets a third of a core that others want, too, and all of one that
/// nobody else wants. For good: only a privileged process could take it back. For threads
/// that write behind others, whose requests would wait for them otherwise until the
/// system's next tick, some milliseconds. Where threads have no priorities of their own,
/// nothing happens.
void give_way_to_others() noexcept;

/// The calling thread is run soon after it is woken, also where all cores are busy, and for
/// shorter turns than others. It gets no more time by that. For threads that do little at a time,
/// whom somebody waits for: without it each waits for the end of whatever turn a core is in, some
/// milliseconds. Threads that it starts are as usual. It takes Linux 6.12; elsewhere nothing
/// happens.
void take_short_turns() noexcept;

} // namespace scratchpage
