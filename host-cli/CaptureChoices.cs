using HangTriage.Capture;
using HangTriage.Facts;

namespace HangTriage.Cli;

/// <summary>What the user says of how to read a target.</summary>
/// <param name="Symbols">Where image files and PDBs are.</param>
/// <param name="Dac">The library that reads the .NET runtime's data, or its folder; null to look among the installed ones alone.</param>
/// <param name="IsDeep">Every object of a .NET heap is looked at.</param>
internal sealed record CaptureChoices(SymbolPath Symbols, string? Dac, bool IsDeep)
{
    /// <summary>Takes the samples of the target, which is a live process; null where it is a file.</summary>
    public Func<Host, CaptureChoices, IProgress<string>, IReadOnlyList<ProcessSnapshot>>? LiveSamples { get; init; }

    /// <summary>What the user said of symbols, for a process that looks for them in this one's place.</summary>
    public IReadOnlyList<string> SymbolArguments { get; init; } = [];

    /// <summary>The tests that a test runner wrote down as not ended.</summary>
    public IReadOnlyList<TestFacts> HungTests { get; init; } = [];

    /// <summary>A trace of the same time, to be joined; null where there is none.</summary>
    public string? Trace { get; init; }

    public CaptureContext Context(Host host, IProgress<string> progress)
        => new(CaptureLimits.Default, progress, host.Cancellation)
        {
            Symbols = Symbols,
            Dac = Dac,
            Deep = IsDeep,
            WhyWithoutRuntime = host.WhyWithoutRuntime,
            Watch = host.Watch,
        };
}
