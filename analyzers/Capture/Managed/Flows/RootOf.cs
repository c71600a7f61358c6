using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>What keeps a flow alive.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Thread">For a thread's stack: the thread.</param>
internal readonly record struct RootOf(FlowRoot Kind, ThreadId? Thread = null);
