using HangTriage.Facts;

namespace HangTriage.Rules.Claims;

/// <summary>One claim and where it comes from.</summary>
/// <param name="Claim">A sentence without a full stop.</param>
/// <param name="Source">Where in the target it was seen: "thread times", "stack", "loader lock".</param>
/// <param name="Trust">How the fact behind it is known.</param>
public sealed record Evidence(Claim Claim, string Source, Trust Trust)
{
    public ThreadId? Thread { get; init; }

    /// <summary>The frame that shows it, as "module!method+0x12".</summary>
    public Claim? Frame { get; init; }

    public Address? Address { get; init; }
}
