using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Samples;
using HangTriage.Tests.Support.States;

namespace HangTriage.Tests.Matrix;

/// <summary>Whether the dumps of a run show what the sample is about, by what ClrMD alone says of them.</summary>
internal static class Moment
{
    /// <summary>Whether all of them do; otherwise another one is noted as taken again.</summary>
    /// <param name="run">The sample and the framework.</param>
    /// <param name="dumps">The dumps whose verdict rests on the managed half.</param>
    /// <param name="retakes">What has been taken again.</param>
    public static bool IsRight(MatrixRun run, IReadOnlyList<(DumpKind Kind, string File)> dumps, Retakes retakes)
    {
        if (Read(run, [.. dumps.Select(dump => dump.File)], retakes) is not { } read)
        {
            return false;
        }

        string? missing = dumps
            .Zip(read, (dump, facts) => StateCheck.Missing(StateOf(run, dump.Kind), facts) is { } missing
                ? $"{dump.Kind.Name()}: {missing}"
                : null)
            .FirstOrDefault(missing => missing is not null);
        if (missing is not null)
        {
            retakes.Add(RetakeReason.OtherMoment, missing);
        }

        return missing is null;
    }

    /// <summary>Whether what hangs in a warm run is code of tier 1; otherwise another one is noted as taken again.</summary>
    /// <param name="run">The sample.</param>
    /// <param name="core">Its core.</param>
    /// <param name="compiled">The code that the runtime has compiled, by its own account.</param>
    /// <param name="retakes">What has been taken again.</param>
    public static bool IsWarm(MatrixRun run, string core, CompiledCode compiled, Retakes retakes)
    {
        if (Read(run, [core], retakes) is not { } read)
        {
            return false;
        }

        string? missing = SampleWarmth.Missing(SampleWarmth.Of(run.Sample), read[0], compiled);
        if (missing is not null)
        {
            retakes.Add(RetakeReason.ColdCode, missing);
        }

        return missing is null;
    }

    // Of warm code it is asked apart which methods are on the stacks: others are compiled into their callers.
    private static IEnumerable<StateExpectation> StateOf(MatrixRun run, DumpKind kind)
        => SampleState.Of(run.Sample, run.Framework.Moniker(), kind).Where(state => run.Code != CodeState.Warm || state.In.Count == 0);

    private static IReadOnlyList<StateFacts>? Read(MatrixRun run, IReadOnlyList<string> files, Retakes retakes)
    {
        StateReading reading = StateReading.Of(files, run.IsWindows);
        if (reading.Failure is { } failure)
        {
            retakes.Add(run.IsWindows ? RetakeReason.NotTaken : RetakeReason.LibraryCrashed, $"not to be read by ClrMD alone: {failure}");
            return null;
        }

        return reading.Dumps;
    }
}
