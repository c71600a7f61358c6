namespace HangTriage.Facts;

/// <summary>What a trace alone knows of a process: threads with ids and names. All else is a gap.</summary>
internal static class TraceSnapshot
{
    private const string Needs = "it needs a dump: a trace alone has no stacks, locks or objects";

    public static ProcessSnapshot Of(TraceFacts trace, uint pid)
    {
        TraceProcess? process = trace.Processes.LastOrDefault(process => process.Pid == pid);
        return new ProcessSnapshot
        {
            Target = new TargetFacts
            {
                Kind = TargetKind.Trace,
                Os = trace.Kind switch { TraceKind.Etl => TargetOs.Windows, TraceKind.Perf => TargetOs.Linux, _ => TargetOs.Unknown },
                Architecture = TargetArchitecture.Unknown,
                OsBuild = Unknown<uint>("build of the system"),
                Pid = Known.Read(pid),
                ProcessName = process?.Name ?? Unknown<string>("process name"),
                ProcessorCount = trace.Processors.Select(count => (uint)Math.Max(count, 0)),
                StartedAt = process is not null && process.Started.TryGet(out TimeSpan began)
                    && trace.Start.TryGet(out DateTimeOffset start)
                    ? Known.Derived(start + began) : Unknown<DateTimeOffset>("start of the process"),
                CapturedAt = trace.Start.Select(from => from + trace.Length),
                Runtimes = Unknown<IReadOnlyList<RuntimeFacts>>("runtimes"),
            },
            Modules = Unknown<IReadOnlyList<ModuleFacts>>("modules"),
            Threads = Known.Read<IReadOnlyList<ThreadFacts>>(
                [.. trace.Threads.Where(thread => thread.Pid.Is(id => id == pid) && thread.To >= trace.Length && !thread.IsEndSeen)
                    .DistinctBy(thread => thread.OsId).OrderBy(thread => thread.OsId).Select(Of)]),
            Managed = Unknown<ManagedFacts>(".NET"),
            Gaps = [.. trace.Gaps],
        };
    }

    private static ThreadFacts Of(TraceThread thread) => new()
    {
        OsId = thread.OsId,
        Index = ThreadFacts.NoIndex,
        Name = thread.Name,
        Cpu = Unknown<CpuTime>("CPU time"),
        StartedAt = Unknown<DateTimeOffset>("start of the thread"),
        StartAddress = Unknown<Address>("start address"),
        Stack = new StackFacts([], new Gap("stack", Needs)),
    };

    private static Known<T> Unknown<T>(string what)
        where T : notnull
        => Known.Unknown<T>(what, Needs);
}
