using HangTriage.Facts;
using HangTriage.Rules.Claims;

namespace HangTriage.Rules.Threads;

/// <summary>What a thread was doing and for what it waits.</summary>
/// <param name="Thread">The thread.</param>
/// <param name="State">What it was doing.</param>
/// <param name="Trust">How that is known.</param>
/// <param name="Frame">The frame that tells; null where the runtime's records tell.</param>
public sealed record ThreadAssessment(ThreadFacts Thread, ThreadActivity State, Trust Trust, FrameFacts? Frame)
{
    /// <summary>What it waits for; null where it waits for nothing known.</summary>
    public WaitTarget? WaitsFor { get; init; }

    /// <summary>What it waited for has come, and it has yet to go on.</summary>
    public bool IsWoken { get; init; }
}
