using System.Globalization;

namespace HangTriage.Benchmarks;

/// <summary>Two programs on one file, in turn: what else the machine does hits both alike, and the ratio stays.</summary>
/// <param name="Ours">The tool's runs.</param>
/// <param name="Peer">The other's, each right after one of ours.</param>
/// <param name="OurMemory">Of a run of its own.</param>
/// <param name="PeerMemory">Of a run of its own.</param>
internal sealed record Comparison(
    IReadOnlyList<ProcessCost> Ours, IReadOnlyList<ProcessCost> Peer, PeakMemory OurMemory, PeakMemory PeerMemory)
{
    public static Comparison Run(WholeProcess ours, WholeProcess peer, int pairs)
    {
        PeakMemory ourMemory = ours.RunForMemory();
        PeakMemory peerMemory = peer.RunForMemory();
        _ = ours.Run();
        _ = peer.Run();
        List<ProcessCost> ourRuns = [];
        List<ProcessCost> peerRuns = [];
        for (int i = 0; i < pairs; i++)
        {
            ourRuns.Add(ours.Run());
            peerRuns.Add(peer.Run());
        }

        return new Comparison(ourRuns, peerRuns, ourMemory, peerMemory);
    }

    /// <param name="scenario">What was measured.</param>
    /// <param name="dump">On which file.</param>
    /// <param name="peer">What the other program is called.</param>
    /// <param name="output">Where to.</param>
    public void Write(string scenario, string dump, string peer, TextWriter output)
    {
        Spread ourWall = Wall(Ours);
        Spread peerWall = Wall(Peer);
        Spread ourCpu = Cpu(Ours);
        Spread peerCpu = Cpu(Peer);
        Spread pairs = Spread.Of(Ours.Zip(Peer, (ours, peer) => ours.Wall / peer.Wall));
        Spread cpuPairs = Spread.Of(Ours.Zip(Peer, (ours, peer) => ours.Cpu / peer.Cpu));
        output.WriteLine();
        output.WriteLine($"{scenario}: {new FileInfo(dump).Length / 1024 / 1024} MB, {Ours.Count} pairs; median (least to most)");
        output.WriteLine($"  elapsed    triage {ourWall.Seconds()}   {peer} {peerWall.Seconds()}");
        output.WriteLine($"             ratio of medians {Ratio(ourWall, peerWall)}   of pairs {pairs.Ratio()}");
        output.WriteLine($"  processor  triage {ourCpu.Seconds()}   {peer} {peerCpu.Seconds()}");
        output.WriteLine($"             ratio of medians {Ratio(ourCpu, peerCpu)}   of pairs {cpuPairs.Ratio()}");
        output.WriteLine($"  memory     triage {OurMemory}   {peer} {PeerMemory}");
    }

    private static Spread Wall(IEnumerable<ProcessCost> runs) => Spread.Of(runs.Select(run => run.Wall.TotalSeconds));

    private static Spread Cpu(IEnumerable<ProcessCost> runs) => Spread.Of(runs.Select(run => run.Cpu.TotalSeconds));

    private static string Ratio(Spread ours, Spread peer) => (ours.Median / peer.Median).ToString("0.00", CultureInfo.InvariantCulture);
}
