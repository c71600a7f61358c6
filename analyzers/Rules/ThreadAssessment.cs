using HangTriage.Facts;

namespace HangTriage.Rules;

/// <summary>What a thread was doing and for what it waits.</summary>
/// <param name="Thread">The thread.</param>
/// <param name="State">What it was doing.</param>
/// <param name="Trust">How that is known.</param>
/// <param name="Frame">The frame that tells; null where the runtime's records tell.</param>
public sealed record ThreadAssessment(ThreadFacts Thread, ThreadActivity State, Trust Trust, FrameFacts? Frame)
{
    /// <summary>What it waits for: "monitor 0x7f… (App.Account), held by thread 3 (0x123)"; null where it waits for nothing known.</summary>
    public string? WaitsFor { get; init; }
}
