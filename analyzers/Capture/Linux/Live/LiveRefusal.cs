using System.Globalization;
using HangTriage.Capture.Libraries;

namespace HangTriage.Capture.Linux.Live;

/// <summary>Says in one line why a process cannot be looked at, and what to do. The kernel has one word for most of it.</summary>
internal static class LiveRefusal
{
    private const int TraceCapability = 19;

    /// <summary>Null where nothing is known to speak against it.</summary>
    public static string? Before(int process)
    {
        if (process == Environment.ProcessId)
        {
            return "that is triage itself, which cannot stop and read at the same time";
        }

        string? status = ProcFile.Text($"/proc/{process}/status");
        return status is null ? Gone(process)
            : StateOf(status) is 'Z' or 'X' && TaskFolder.Ids(process).Count <= 1 ? Ended(process, status)
            : ProcFile.Value(status, "VmSize") is null && StateOf(status) is not ('Z' or 'X') ? $"process {process} is a thread of the kernel, with no memory of its own"
            : Number(ProcFile.Value(status, "TracerPid")) is int tracer and not 0 ? Traced(process, tracer)
            : Is32Bit(process) ? $"process {process} is a program of 32 bits; only those of 64 bits are read live. Write a core of it (gcore {process}) and analyze that"
            : null;
    }

    /// <summary>Another program traces it; another triage does so for a moment.</summary>
    public static bool IsTraced(int process) => Number(ProcFile.Value(ProcFile.Text($"/proc/{process}/status"), "TracerPid")) is not (null or 0);

    /// <summary>After the kernel has refused.</summary>
    public static string Explain(int process)
    {
        if (Before(process) is { } known)
        {
            return known;
        }

        string status = ProcFile.Text($"/proc/{process}/status") ?? string.Empty;
        uint me = OwnUser();
        uint? owner = Number(ProcFile.Value(status, "Uid")?.Split('\t')[0]) is int uid ? (uint)uid : null;
        return me != 0 && owner is { } other && other != me
                ? $"process {process} belongs to another user ({other}): run triage as that user, or as root (sudo)"
            : me == 0 && !MayTrace() ? $"this container may not look into processes: give it the right to (docker: --cap-add SYS_PTRACE; Kubernetes: securityContext.capabilities.add [SYS_PTRACE])"
            : me != 0 && Yama() is > 0 and var scope
                ? $"the system lets a user look only into processes that he starts under a debugger (kernel.yama.ptrace_scope is {scope}): run triage as root (sudo), or set it to 0 (sudo sysctl kernel.yama.ptrace_scope=0)"
            : me != 0 ? $"process {process} has rights of its own or does not let itself be looked into: run triage as root (sudo)"
            : $"the kernel does not let process {process} be looked into: a seccomp profile or a security module may forbid it (docker: --cap-add SYS_PTRACE)";
    }

    private static string Gone(int process) => $"there is no process {process}, or it has just ended";

    private static string Ended(int process, string status)
        => $"process {process} has ended, and only waits for its parent, process {ProcFile.Value(status, "PPid")}, to take its exit code (a zombie): there is nothing left to read; look at the parent";

    private static string Traced(int process, int tracer)
        => $"process {process} is traced by process {tracer} ({StatFields.Read($"/proc/{tracer}/stat")?.Name ?? "in another container"}), and only one can do so: end that first, or have it write a core";

    private static char StateOf(string status) => ProcFile.Value(status, "State") is { Length: > 0 } state ? state[0] : '?';

    private static bool Is32Bit(int process)
    {
        try
        {
            using FileStream program = File.OpenRead($"/proc/{process}/exe");
            Span<byte> head = stackalloc byte[5];
            return program.ReadAtLeast(head, head.Length, throwOnEndOfStream: false) == head.Length && head[..4].SequenceEqual("\u007fELF"u8) && head[4] == 1;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    private static bool MayTrace()
        => ulong.TryParse(ProcFile.Value(ProcFile.Text("/proc/self/status"), "CapEff"), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong rights)
            && (rights >> TraceCapability & 1) != 0;

    private static int? Yama() => Number(ProcFile.Text("/proc/sys/kernel/yama/ptrace_scope")?.Trim());

    private static uint OwnUser() => OperatingSystem.IsLinux() ? FileStatus.CurrentUser : 0;

    private static int? Number(string? text) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int value) ? value : null;
}
