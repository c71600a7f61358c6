using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports;

/// <summary>Says in a few words what was looked at; what is not known is left out, since the gaps name it.</summary>
internal static class TargetText
{
    private const int MostTests = 10;

    /// <summary>"app.exe (pid 1234)", or "the process".</summary>
    public static string Process(TargetFacts target)
        => (target.ProcessName.TryGet(out string? name), target.Pid.TryGet(out uint pid)) switch
        {
            (true, true) => string.Create(CultureInfo.InvariantCulture, $"{name} (pid {pid})"),
            (true, false) => name!,
            (false, true) => string.Create(CultureInfo.InvariantCulture, $"process {pid}"),
            _ => "a process",
        };

    /// <summary>"Windows build 14393, x64, 8 processors".</summary>
    public static string Machine(TargetFacts target)
    {
        string build = target.OsBuild.TryGet(out uint number) ? string.Create(CultureInfo.InvariantCulture, $" build {number}") : string.Empty;
        string processors = target.ProcessorCount.TryGet(out uint count)
            ? string.Create(CultureInfo.InvariantCulture, $", {count} {(count == 1 ? "processor" : "processors")}")
            : string.Empty;
        string system = target.Os == TargetOs.Unknown ? "system not recorded" : $"{target.Os}{build}";
        string architecture = target.Architecture == TargetArchitecture.Unknown
            ? string.Empty : $", {target.Architecture.ToString().ToLowerInvariant()}";
        return $"{system}{architecture}{processors}";
    }

    /// <summary>".NET runtimes: CoreCLR 10.0.1"; null where they are not known.</summary>
    public static string? Runtimes(TargetFacts target)
        => !target.Runtimes.TryGet(out IReadOnlyList<RuntimeFacts>? runtimes) ? null
            : runtimes.Count == 0 ? "no .NET"
            : string.Join(", ", runtimes.Select(Runtime));

    /// <summary>Null where the instant is not known.</summary>
    public static string? CapturedAt(TargetFacts target)
        => target.Kind != TargetKind.Trace && target.CapturedAt.TryGet(out DateTimeOffset instant)
            ? Instant(instant) + (target.CapturedAt.Trust == Trust.Assumed ? " (assumed from the file's time)" : string.Empty)
            : null;

    /// <summary>"Shop.OrderTests.Posts (Shop/OrderTests.cs:12)"; null where no test is seen to run.</summary>
    public static string? Tests(TriageResult result)
        => result.Tests.Count == 0 ? null
            : string.Join(", ", result.Tests.Take(MostTests)) + (result.Tests.Count > MostTests ? string.Create(CultureInfo.InvariantCulture, $" and {result.Tests.Count - MostTests} more") : string.Empty);

    /// <summary>"3 captures of the process, each with the same random seed"; null where there is one.</summary>
    public static string? Samples(Case @case)
    {
        JoinedBy[] joined = [.. @case.Earlier.Select(pair => pair.Join.By).OfType<JoinedBy>()];
        return joined.Length == 0 ? null
            : string.Create(CultureInfo.InvariantCulture, $"{joined.Length + 1} captures of the process, {Same(joined.Max())}");
    }

    /// <summary>"the process stood still for 4.1 ms, 12 ms in all 3 captures"; null where it is no live process.</summary>
    public static string? StoodStill(Case @case)
    {
        TimeSpan[] pauses = [.. @case.Earlier.Select(pair => pair.Sample).Append(@case.Last).Select(Pause).OfType<TimeSpan>()];
        return Pause(@case.Last) is not { } last ? null
            : pauses.Length == 1 ? $"the process stood still for {Milliseconds(last)}"
            : string.Create(CultureInfo.InvariantCulture, $"the process stood still for {Milliseconds(last)}, {Milliseconds(TimeSpan.FromTicks(pauses.Sum(pause => pause.Ticks)))} in all {pauses.Length} captures");
    }

    public static string? StartedAt(TargetFacts target)
        => target.StartedAt.TryGet(out DateTimeOffset instant) ? Instant(instant) : null;

    private static string Same(JoinedBy weakest) => weakest switch
    {
        JoinedBy.StartTime => "each with the same start time",
        JoinedBy.RandomSeed => "each with the same random seed",
        _ => "by its id; that it is the same process, the user says",
    };

    private static TimeSpan? Pause(ProcessSnapshot snapshot) => snapshot.Target.StoodStill is { } known && known.TryGet(out TimeSpan pause) ? pause : null;

    private static string Milliseconds(TimeSpan span)
        => span.TotalMilliseconds.ToString(span.TotalMilliseconds < 10 ? "0.0" : "0", CultureInfo.InvariantCulture) + " ms";

    private static string Instant(DateTimeOffset instant)
        => instant.ToUniversalTime().ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture) + " UTC";

    private static string Runtime(RuntimeFacts runtime)
        => runtime.Version.TryGet(out string? version) ? $"{runtime.Flavor} {version}" : runtime.Flavor;

    /// <summary>Which trace was joined, how, and where in it the capture was taken; null where none was.</summary>
    public static string? Trace(Case @case)
    {
        if (@case.Trace is not { Join.IsJoined: true } trace)
        {
            return null;
        }

        if (@case.IsTraceAlone)
        {
            return $"{trace.File}, {Durations.Of(trace.Facts.Length)}; judged alone, as at its end";
        }

        string by = trace.Join.By == JoinedBy.StartTime ? "the same process id and start" : "the same process id; that it is the same process is the user's word";
        string at = !trace.Join.Moment.TryGet(out TimeSpan moment) ? "when in it the capture was taken is unknown, so its end counts"
            : moment > trace.Facts.Length ? $"the capture was taken {Durations.Of(moment - trace.Facts.Length)} after its end, so its end counts"
            : $"the capture was taken {Durations.Of(moment)} after its start";
        return $"{trace.File}, {Durations.Of(trace.Facts.Length)}; {by}; {at}";
    }
}
