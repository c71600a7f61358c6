using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;

namespace HangTriage.Rules.Scheduling;

/// <summary>Words for what a trace shows without a capture.</summary>
internal static class AloneText
{
    public static string At(TimeSpan moment) => string.Create(CultureInfo.InvariantCulture, $"{moment.TotalSeconds:0.000} s");

    public static Evidence Of(TraceThread thread, Claim claim) => new(claim, "trace", Trust.Derived) { Thread = thread.OsId };

    public static string TakeDump(RuleContext context)
    {
        string pid = context.Snapshot.Target.Pid.TryGet(out uint id) ? id.ToString(CultureInfo.InvariantCulture) : "PID";
        string command = $"triage analyze DUMP --trace {context.Trace?.File ?? "FILE"}";
        return $"Take a dump of process {pid} while it hangs and judge both ({command}): it shows what the threads wait for.";
    }

    /// <summary>"thread 0x12 of MsMpEng.exe", "thread 0x12 "ui"", "a timer or a device".</summary>
    public static Claim Name(RuleContext context, TracePartner partner)
        => !partner.Thread.TryGet(out ThreadId thread) ? (Claim)"a timer or a device"
            : partner.Pid.Is(pid => context.Snapshot.Target.Pid.Is(own => own == pid)) ? Parties.Label(context, thread)
            : (Claim)$"thread {thread} of {(partner.ProcessName.TryGet(out string? name) ? name : "another process")}";
}
