using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Claims;

namespace HangTriage.Rules;

/// <summary>What to do where the input does not decide: it fits the input, and asks for nothing that the input already is.</summary>
public static class OpenAdvice
{
    // As many as the advice asks for.
    private const int Looks = 5;

    private const string SayThatItHangs = "Say so if you know that the process hangs (--hung): the best suspect is then the verdict.";

    /// <param name="case">The input.</param>
    /// <param name="hasSuspect">A wait that matters has no known end.</param>
    public static IReadOnlyList<Claim> Of(Case @case, bool hasSuspect)
        =>
        [
            .. More(@case) is { } more ? [(Claim)more] : Array.Empty<Claim>(),
            .. (hasSuspect || More(@case) is null) && LookAgain(@case) is { } again ? [(Claim)again] : Array.Empty<Claim>(),
            .. hasSuspect && !@case.IsSaidToHang ? [(Claim)SayThatItHangs] : Array.Empty<Claim>(),
        ];

    /// <summary>How to see which waits last; null where the input shows it already, and where the process has ended.</summary>
    public static string? LookAgain(Case @case)
    {
        TargetFacts target = @case.Last.Target;

        // Of a look in which threads ran on another was taken at once.
        int looks = @case.Earlier.Count(earlier => !earlier.Sample.Gaps.Any(gap => gap.IsPassing)) + 1;
        return target.Crash is not null ? null
            : target.Kind == TargetKind.LiveProcess
                ? looks >= Looks ? null
                    : string.Create(CultureInfo.InvariantCulture,
                        $"Look at it for longer (triage attach {Pid(target)} --samples {Looks} --interval 2s): a wait that lasts is confirmed.")
            : looks > 1 ? null
            : $"Take a second {(target.Kind == TargetKind.ElfCore ? "core" : "dump")} some seconds later and judge both ({Both(target)}): a wait that lasts is confirmed.";
    }

    /// <summary>The command that judges two captures.</summary>
    public static string Both(TargetFacts target)
        => target.Kind == TargetKind.ElfCore ? "triage analyze second.core --earlier first.core" : "triage analyze second.dmp --earlier first.dmp";

    // A live process has all its memory, a core whose heap could be walked too, and a dump with every stack and the handles.
    private static string? More(Case @case)
    {
        TargetFacts target = @case.Last.Target;
        return target.Kind == TargetKind.LiveProcess || target.Crash is not null || IsWhole(@case.Last) ? null
            : target.Os == TargetOs.Windows ? $"Take a dump that holds more: procdump -ma {Pid(target)} (all memory, thread times, handles)."
            : $"Take a core that holds more: dotnet-dump collect --type Full -p {Pid(target)}.";
    }

    private static bool IsWhole(ProcessSnapshot snapshot)
        => snapshot.Target.Os == TargetOs.Linux
            ? snapshot.Managed is { } managed && managed.TryGet(out ManagedFacts? facts) && facts.Locks.HasValue
            : snapshot.Windows is { Handles.HasValue: true } && snapshot.Threads.TryGet(out IReadOnlyList<ThreadFacts>? threads) && threads.All(thread => thread.Stack.Stopped is null);

    private static string Pid(TargetFacts target) => target.Pid.TryGet(out uint id) ? id.ToString(CultureInfo.InvariantCulture) : "PID";
}
