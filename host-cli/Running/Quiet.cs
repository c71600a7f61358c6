using HangTriage.Capture.Linux.Live;

namespace HangTriage.Cli.Running;

/// <summary>For how long a tree of processes has written nothing. Waking up an idle runtime's own threads writes some bytes, too.</summary>
internal sealed class Quiet
{
    private const long LeastOutput = 64;

    // A program of Microsoft.Testing.Platform writes "running... 2 completed, 0 failed | active: NAME" every 30 s, and "[slow] still running"
    // after 1 and 2 minutes and then more rarely, each with names of tests. Both say that nothing happens.
    private const long LeastOutputOfTests = 1_024;

    private readonly Dictionary<int, long> _written = [];
    private TimeSpan _since;

    /// <summary>Since when, on the clock of the calls of <see cref="Look"/>.</summary>
    public TimeSpan Since => _since;

    public void Look(IReadOnlyList<int> processes, TimeSpan now)
    {
        bool isAny = false;
        foreach (int process in processes)
        {
            long written = ProcessTree.WrittenBy(process);
            isAny |= !_written.TryGetValue(process, out long before) || IsOutput(written - before, () => ProcessTree.HasLoaded(process, "Microsoft.Testing.Platform.dll"));
            _written[process] = written;
        }

        int[] ended = [.. _written.Keys.Except(processes)];
        Array.ForEach(ended, process => _written.Remove(process));
        if (isAny || ended.Length > 0)
        {
            _since = now;
        }
    }

    /// <summary>Whether so many bytes, written since the look before, are more than signs of life.</summary>
    internal static bool IsOutput(long bytes, Func<bool> isTestPlatform) => bytes >= LeastOutputOfTests || (bytes >= LeastOutput && !isTestPlatform());
}
