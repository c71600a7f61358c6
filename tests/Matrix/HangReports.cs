using System.Collections.Concurrent;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Lab;
using HangTriage.Tests.Support.Samples;

namespace HangTriage.Tests.Matrix;

/// <summary>The reports of one sample's hang: from cores of createdump (full and heap) on each .NET and of gdb, and from Windows' dumps where that is asked for.</summary>
internal static class HangReports
{
    // An instant can tell too little, and ClrMD alone cannot say so of gdb's cores, which lack the libraries' pages.
    private const int Attempts = 4;

    // Cores of gdb of every sample, and Windows' dumps, which the lab makes.
    private static readonly bool s_isAll = Tier.IsWhole;

    // gdb takes seconds for a core; a wait of each kind is enough in every run: a lock, a task, a pool, a loop.
    private static readonly string[] s_byDebugger = ["MonitorDeadlock", "NeverCompletedTask", "PoolStarvation", "LostSpinLock"];

    private static readonly ConcurrentDictionary<string, Lazy<Task<IReadOnlyList<string>>>> s_reports = new(StringComparer.Ordinal);
    private static readonly SemaphoreSlim s_oneAtATime = new(1);

    /// <summary>The samples in which a rule finds a hang.</summary>
    public static IReadOnlyList<string> Samples { get; } =
        [.. SampleList.Managed.Concat(SampleList.OfLinux).Where(sample => ExpectedVerdict.Of(sample).Rule is not null)];

    public static Task<IReadOnlyList<string>> OfAsync(string sample)
        => s_reports.GetOrAdd(sample, static sample => new(() => Task.Run(() => MakeAsync(sample)))).Value;

    private static async Task<IReadOnlyList<string>> MakeAsync(string sample)
    {
        List<string?> reports = [];
        foreach (TargetFramework framework in TargetFrameworks.All)
        {
            MatrixRun onLinux = new(sample, framework, IsWindows: false);
            if (sample.Contains('/', StringComparison.Ordinal) ? Tier.IsWhole || framework == TargetFramework.Net10 : MatrixRun.All.Contains(onLinux))
            {
                reports.AddRange(await OfCellsAsync(onLinux));
            }

            if (s_isAll && WindowsLab.IsHere && !sample.Contains('/', StringComparison.Ordinal))
            {
                reports.AddRange(await OfCellsAsync(new MatrixRun(sample, framework, IsWindows: true)));
            }

            // Where the sample declares another verdict for the full core, gdb's tells no more.
            if ((s_byDebugger.Contains(sample) || (s_isAll && framework == TargetFramework.Net10 && StandsStill(sample)))
                && ExpectedCell.Of(sample, framework.Moniker(), DumpKind.Full).Why is null)
            {
                reports.Add(await OfDebuggerAsync(sample, framework));
            }
        }

        return [.. reports.OfType<string>()];
    }

    // Who is at work and not hung is somewhere else in each core, and of gdb's nobody asks where (its state).
    private static bool StandsStill(string sample) => ExpectedVerdict.Of(sample).ExitCode != 0;

    // Where a cell declares another verdict, the dump lacks what tells.
    private static async Task<IEnumerable<string?>> OfCellsAsync(MatrixRun run)
        => (await Runs.CellsAsync(run)).Where(cell => cell.Why is null).Select(cell => cell.Report ?? throw new InvalidOperationException($"{cell} found no hang"));

    private static async Task<string?> OfDebuggerAsync(string sample, TargetFramework framework)
    {
        await s_oneAtATime.WaitAsync();
        try
        {
            string program = DotNetPrograms.Find(Path.GetFileName(sample), framework);
            for (int left = Attempts; ; left--)
            {
                using TemporaryFolder folder = new();
                await DebuggerCore.WriteAsync(program, folder["core"], CancellationToken.None);
                string? report = Judge.ReportOfHang(Judge.OfCore(folder["core"], program, out _));
                if (report is not null || left == 1)
                {
                    return report ?? throw new InvalidOperationException($"no hang was found in gdb's core of {sample} on {framework}");
                }
            }
        }
        finally
        {
            s_oneAtATime.Release();
        }
    }
}
