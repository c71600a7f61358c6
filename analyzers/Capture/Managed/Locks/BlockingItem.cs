using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>One entry of a thread's ThreadBlockingInfo list.</summary>
/// <param name="Thread">The thread that waits.</param>
/// <param name="Kind">What <paramref name="ObjectPtr"/> points to.</param>
/// <param name="ObjectPtr">For monitors the runtime's native lock; for managed locks the stack slot that holds the reference.</param>
/// <param name="TimeoutMilliseconds">When the wait ends by itself; -1 for never.</param>
internal sealed record BlockingItem(ClrThread Thread, BlockingKind Kind, ulong ObjectPtr, int TimeoutMilliseconds);
