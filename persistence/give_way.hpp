#pragma once

namespace scratchpage {

/// The calling thread gets a third of a core that others want, too, and all of one that
/// nobody else wants. For good: only a privileged process could take it back. For threads
/// that write behind others, whose requests would wait for them otherwise until the
/// system's next tick, some milliseconds. Where threads have no priorities of their own,
/// nothing happens.
void give_way_to_others() noexcept;

} // namespace scratchpage
