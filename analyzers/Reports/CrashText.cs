using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports;

/// <summary>Says that the input is of a crash, which a report of a hang must not hide.</summary>
internal static class CrashText
{
    /// <summary>"access violation (0xc0000005) in thread 3 (0x17c)"; null where the input does not say that there was a crash.</summary>
    public static Claim? Of(TriageResult result)
    {
        if (result.Snapshot.Target.Crash is not { } crash)
        {
            return null;
        }

        string code = result.Snapshot.Target.Os == TargetOs.Windows ? $"0x{crash.Code:x8}" : crash.Code.ToString(CultureInfo.InvariantCulture);
        string what = crash.Name.Length > 0 ? $"{crash.Name} ({code})" : result.Snapshot.Target.Os == TargetOs.Windows ? $"exception {code}" : $"signal {code}";
        ThreadFacts? thread = result.Threads.FirstOrDefault(known => known.Thread.OsId == crash.Thread)?.Thread;
        Claim place = thread is not null ? $" in {Involved.Name(thread)}" : crash.Thread is { } id ? $" in thread {id}" : Claim.Empty;
        return $"{what}{place}. The input was written for it; its threads stand as they did then";
    }
}
