namespace HangTriage.Benchmarks;

/// <summary>Whether the tool's memory grows with the dump: the same program, with little memory and with much.</summary>
internal static class MemoryGrowth
{
    private const int Runs = 5;

    public static void Measure(IReadOnlyList<string> dumps, TextWriter output)
    {
        output.WriteLine();
        output.WriteLine($"memory: the most of {Runs} runs each");
        foreach (string dump in dumps)
        {
            PeakMemory ours = Peak(Sides.Ours(dump));
            PeakMemory peer = Peak(Sides.Peer(dump));
            output.WriteLine($"  {new FileInfo(dump).Length / 1024 / 1024,5} MB  triage {ours}   engine {peer}");
        }
    }

    private static PeakMemory Peak(WholeProcess process)
        => Enumerable.Range(0, Runs).Aggregate(PeakMemory.None, (peak, _) => peak.Or(process.RunForMemory()));
}
