using HangTriage.Facts;

namespace HangTriage.Tests.Support.Facts;

/// <summary>The facts of a process of which nothing could be read: everything that can be a gap is one.</summary>
public static class UnknownProcess
{
    public static ProcessSnapshot Of(TargetOs os, string why)
    {
        Known<T> Unknown<T>(string what)
            where T : notnull
            => Known.Unknown<T>(what, why);

        return new ProcessSnapshot
        {
            Target = new TargetFacts
            {
                Kind = os == TargetOs.Windows ? TargetKind.Minidump : TargetKind.ElfCore,
                Os = os,
                Architecture = TargetArchitecture.X64,
                OsBuild = Unknown<uint>("OS build"),
                Pid = Unknown<uint>("process id"),
                ProcessName = Unknown<string>("process name"),
                ProcessorCount = Unknown<uint>("processor count"),
                StartedAt = Unknown<DateTimeOffset>("start time of the process"),
                CapturedAt = Unknown<DateTimeOffset>("time of the capture"),
                Runtimes = Unknown<IReadOnlyList<RuntimeFacts>>(".NET runtimes"),
            },
            Modules = Unknown<IReadOnlyList<ModuleFacts>>("modules"),
            Threads = Unknown<IReadOnlyList<ThreadFacts>>("threads"),
            Windows = os == TargetOs.Windows
                ? new WindowsFacts { Peb = Unknown<Address>("PEB"), LoaderLock = Unknown<LockFacts>("loader lock") }
                : null,
            Managed = Unknown<ManagedFacts>("managed locks and waits"),
            Gaps = [],
        };
    }
}
