using HangTriage.Capture;
using HangTriage.Capture.Targets;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Facts;
using HangTriage.Tests.Unit.Policy;

namespace HangTriage.Tests.Unit.Gaps;

/// <summary>What gaps are put into: every case of the policy's tests, a process that idles, and a real dump of a hang.</summary>
internal static class GapSamples
{
    public const string Published = "LoaderLockSpin";
    public const string Idle = "idle";

    private static readonly Lazy<Case> s_published = new(() => Case.Of(TargetFile.Capture(Repository.Sample(Published, "hang.dmp.gz"), CaptureContext.Default)));

    public static IReadOnlyList<string> Names { get; } = [.. AsTheyAre, .. MoreGapSamples.All.Keys, Idle, Published];

    // Where the user says that a process hangs, the verdict is a guess that every gap may change.
    private static IEnumerable<string> AsTheyAre => PolicyCases.All.Where(pair => !pair.Value.IsSaidToHang).Select(pair => pair.Key);

    public static Case Read(string name) => name switch
    {
        Published => s_published.Value,
        Idle => Case.Of(IdleProcess()),
        _ => MoreGapSamples.All.TryGetValue(name, out Case? @case) ? @case : PolicyCases.All[name],
    };

    private static ProcessSnapshot IdleProcess() => SnapshotBuilder.Windows()
        .Thread(0x10, "win32u!NtUserGetMessage", "USER32!GetMessageW", "app!WinMain")
        .Thread(0x20, "ntdll!NtWaitForWorkViaWorkerFactory", "ntdll!TppWorkerThread")
        .Lock(SnapshotBuilder.Monitor(0x1000), 0x10)
        .Lock(SnapshotBuilder.Section(0x2000), 0x10)
        .UiThread(0x10, "System.Windows.Forms.WindowsFormsSynchronizationContext", "System.Windows.Forms.Application.RunMessageLoop")
        .Pool(new PoolWorkers(0, 1, 8, 8, 32767), 0)
        .Build();
}
