using System.Diagnostics;
using HangTriage.Capture.Live;
using HangTriage.Capture.Linux.Live;
using HangTriage.Cli.Live;
using HangTriage.Facts;
using HangTriage.Rules;

namespace HangTriage.Cli.Running;

/// <summary>
/// Looks at the processes of a tree: those of .NET first, and of these first those that wait for no other. Of the others the
/// waits for locks are read, and no stacks: what is a hang there is one, and a wait of unknown end says nothing.
/// </summary>
/// <param name="host">The world.</param>
/// <param name="choices">How to read them.</param>
internal sealed class TreeJudge(Host host, CaptureChoices choices)
{
    private const int MostProcesses = 8;
    private const int Samples = 3;

    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(1);

    // At most, on a busy build agent: a process that has written nothing for so long does not mind, and without stacks no test has a name.
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(1);

    // Left behind by builds to serve the next one: neither waited for nor blamed.
    private static readonly string[] s_servers = ["VBCSCompiler.dll", "VBCSCompiler", "MSBuild.dll"];

    public static bool IsServer(ProcessEntry process) => s_servers.Contains(process.Name, StringComparer.Ordinal);

    /// <summary>The first that is stuck. Where none is, and it is said that one hangs, the first that could be looked at.</summary>
    public Judged? Find(bool isSaidToHang)
    {
        Judged? first = null;
        foreach (ProcessEntry process in Candidates())
        {
            if (Judge(process, isSaidToHang) is not { } judged)
            {
                continue;
            }

            if (judged.IsStuck)
            {
                return judged;
            }

            first ??= judged;
        }

        return isSaidToHang ? first : null;
    }

    // A process that has started another waits for it, as a rule: the last in a line of them is the one that does the work.
    private static IEnumerable<ProcessEntry> Candidates()
    {
        ProcessEntry[] all =
            [.. ProcessTree.Below(Environment.ProcessId).Select(ProcessTable.Find).OfType<ProcessEntry>()
                .Where(process => process.IsDotNet is not null && !IsServer(process))];
        HashSet<int> parents = [.. all.Where(process => process.IsDotNet == true).Select(process => process.Parent)];
        IEnumerable<ProcessEntry> dotNet = all.Reverse().Where(process => process.IsDotNet == true)
            .OrderBy(process => parents.Contains(process.Id)).Take(MostProcesses);
        return dotNet.Concat(all.Reverse().Where(process => process.IsDotNet == false).Take(MostProcesses));
    }

    private Judged? Judge(ProcessEntry process, bool isSaidToHang)
    {
        try
        {
            long start = Stopwatch.GetTimestamp();
            LiveChoices live = new(process.Id, Samples, s_interval, s_pause);
            Case @case = Case.Of(LiveCase.Take(host, live, choices, new Progress())) with { IsSaidToHang = isSaidToHang };
            if (ProcessTable.Find(process.Id) is null)
            {
                // Whatever it waited for, it waits no more.
                return null;
            }

            TimeSpan captured = Stopwatch.GetElapsedTime(start);
            TriageResult result = host.Judge(@case);
            TimeSpan judged = Stopwatch.GetElapsedTime(start) - captured;
            return new Judged(process, @case, new Analysis(result, new Dictionary<string, TimeSpan> { ["capture"] = captured, ["judge"] = judged }));
        }
        catch (InputException e)
        {
            host.Error.WriteLine($"triage: {process.Name}: {e.Message}");
            return null;
        }
    }
}
