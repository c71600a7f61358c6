using System.Globalization;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Traces;
using HangTriage.Traces.Files;

namespace HangTriage.Tests.Unit.Traces;

/// <summary>Traces that Windows recorded, against counts that another reader made of them.</summary>
public sealed class RecordedEtlTests
{
    private const string Compressed = "net.4.5.2.x64.etl.zip";
    private const string Plain = "net.4.5.x86-plain.etl.zip";

    /// <summary>What the baseline's tool filters (idle samples; thread rundown has no line at all). Raw counts are in the data's index.</summary>
    private static readonly string[] s_filtered = ["PerfInfo/Sample"];

    [Fact]
    public void Counts_of_a_compressed_trace_are_those_of_its_baseline()
    {
        Dictionary<string, long> baseline = Baseline(Repository.Shared("etl", "net.4.5.2.x64.baseline.txt"));
        TraceFacts facts = Read(Compressed);

        List<string> compared = [];
        foreach (TraceEventCount count in facts.Events.Where(count => baseline.ContainsKey(count.Name) && !s_filtered.Contains(count.Name)))
        {
            Assert.Equal((count.Name, baseline[count.Name]), (count.Name, count.Count));
            compared.Add(count.Name);
        }

        Assert.True(compared.Count > 90, $"only {compared.Count} compared");
        Assert.All(
            ["Process/Start", "Image/DCStart", "Image/DCStop", "Image/Load", "Image/Unload", "Thread/Start", "Thread/Stop", "DiskIO/Read", "Microsoft-Windows-DotNETRuntime/Method/LoadVerbose"],
            name => Assert.Contains(name, compared));
    }

    [Fact]
    public void Every_kernel_event_of_the_baseline_has_its_name()
    {
        TraceFacts facts = Read(Compressed);
        string[] missing =
        [
            .. Baseline(Repository.Shared("etl", "net.4.5.2.x64.baseline.txt")).Keys
                .Where(name => KernelGroups.Any(group => name.StartsWith(group, StringComparison.Ordinal)) && facts.Events.All(count => count.Name != name)),
        ];

        Assert.Empty(missing);
    }

    [Fact]
    public void What_the_baseline_filters_is_there()
    {
        TraceFacts facts = Read(Compressed);

        Assert.Equal(79_528, Count(facts, "PerfInfo/Sample"));
        Assert.Equal(670, Count(facts, "Thread/DCStart"));
        Assert.Equal(664, Count(facts, "Thread/DCStop"));
        Assert.Equal(252, Count(facts, "StackWalk/Stack"));
        Assert.Equal(new TraceStackCounts(252, facts.Stacks.Joined, 9_107, 9_107), facts.Stacks);
        Assert.Equal(79_528 - 73_313, facts.Threads.Sum(thread => thread.Samples));
        Assert.Equal(8, facts.Processors.Value);
        Assert.Equal(0, facts.LostEvents.Value);
        Assert.Equal(0, facts.LostBuffers.Value);
        Assert.Empty(facts.Gaps);
    }

    [Fact]
    public void Counts_of_a_plain_trace_of_a_32_bit_system_are_those_of_the_index()
    {
        TraceFacts facts = Read(Plain);

        Assert.Equal(16_865, Count(facts, "PerfInfo/Sample"));
        Assert.Equal(18_532, Count(facts, "StackWalk/Stack"));
        // By time and thread. The data's index says 17,804 and not how they were counted.
        Assert.Equal(17_826, facts.Stacks.Joined);
        Assert.Equal(639, Count(facts, "Thread/DCStart"));
        Assert.Equal(641, Count(facts, "Thread/DCStop"));
        Assert.Equal(2_688, Count(facts, "Image/DCStart"));
        Assert.Equal(2_696, Count(facts, "Image/DCStop"));
        Assert.Equal(4, facts.Processors.Value);
        Assert.Empty(facts.Gaps);
    }

    private static IReadOnlyList<string> KernelGroups { get; } = ["Process/", "Thread/", "Image/", "DiskIO/", "PerfInfo/", "SystemConfig/", "UdpIp/", "TcpIp/", "Memory/", "EventTrace", "KernelTraceControl/ImageID"];

    private static TraceFacts Read(string name) => TraceFile.Read(Repository.Shared("etl", name), TraceContext.Default);

    private static long Count(TraceFacts facts, string name) => facts.Events.Where(count => count.Name == name).Sum(count => count.Count);

    /// <summary>The lines "COUNT provider/task/opcode:number", without the names of the kernel's providers.</summary>
    private static Dictionary<string, long> Baseline(string path)
        => File.ReadLines(path)
            .Where(line => line.StartsWith("COUNT ", StringComparison.Ordinal))
            .Select(line => line["COUNT ".Length..].Replace("Windows Kernel/", "", StringComparison.Ordinal).Replace("MSNT_SystemTrace/", "", StringComparison.Ordinal))
            .ToDictionary(line => line[..line.LastIndexOf(':')], line => long.Parse(line[(line.LastIndexOf(':') + 1)..], CultureInfo.InvariantCulture), StringComparer.Ordinal);
}
