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
        StateReading reading = StateReading.Of([.. dumps.Select(dump => dump.File)], run.IsWindows);
        if (reading.Failure is { } failure)
        {
            retakes.Add(run.IsWindows ? RetakeReason.NotTaken : RetakeReason.LibraryCrashed, $"not to be read by ClrMD alone: {failure}");
            return false;
        }

        string? missing = dumps
            .Zip(reading.Dumps, (dump, facts) => StateCheck.Missing(SampleState.Of(run.Sample, run.Framework.Moniker(), dump.Kind), facts) is { } missing ? $"{dump.Kind.Name()}: {missing}" : null)
            .FirstOrDefault(missing => missing is not null);
        if (missing is not null)
        {
            retakes.Add(RetakeReason.OtherMoment, missing);
        }

        return missing is null;
    }
}
