#pragma once

namespace scratchpage {

/// Keeps glibc's allocator from stopping the process for tens of milliseconds
/// when many observations end: without it, one free() in a while sweeps all the
/// small blocks freed before, or gives half the heap back to the system. The
/// program calls it; who embeds large pages may want to, once, at the start. A
/// freed heap then stays with the process up to half a GiB. Elsewhere than on
/// glibc it does nothing.
void calm_allocator();

} // namespace scratchpage
