using HangTriage.Tests.Support.Samples;

namespace HangTriage.Tests.Matrix;

/// <summary>What came out of one sample on one framework in one kind of dump.</summary>
/// <param name="Run">The sample and the framework.</param>
/// <param name="Kind">The dump.</param>
/// <param name="Text">In a few words: the verdict, "gap" or "not run".</param>
internal sealed record Cell(MatrixRun Run, DumpKind Kind, string Text)
{
    /// <summary>The declared reason why it differs from the sample's verdict; null where it does not.</summary>
    public string? Why { get; init; }

    /// <summary>Why dumps of its run were taken again, and how often; empty where none was.</summary>
    public IReadOnlyList<string> Retakes { get; init; } = [];

    /// <summary>The report as a line of NDJSON; null where no rule found a hang, which only then has a signature.</summary>
    public string? Report { get; init; }

    /// <summary>What is not as declared; empty where all is.</summary>
    public IReadOnlyList<string> Differences { get; init; } = [];

    public override string ToString() => $"{Run}, {Kind.Name()}: {string.Join("; ", Differences)}";
}
