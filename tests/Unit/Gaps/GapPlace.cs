using HangTriage.Facts;

namespace HangTriage.Tests.Unit.Gaps;

/// <summary>A place in the facts of a case where a gap can stand.</summary>
/// <param name="Path">The names of the properties that lead to it, without the indexes of lists: "Threads.Teb.IsLoadOwner".</param>
/// <param name="Put">The same case with a gap in this place.</param>
internal sealed record GapPlace(string Path, Func<Gap, Case> Put)
{
    public const string Why = "it was taken away by the test";

    /// <summary>A gap that names this place.</summary>
    public Gap Probe => new($"probe of {Path}", Why);

    public Case Probed() => Put(Probe);
}
