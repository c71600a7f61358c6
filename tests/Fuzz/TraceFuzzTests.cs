using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Synthetic.Traces;
using HangTriage.Tests.Support.Waiting;
using HangTriage.Traces;
using HangTriage.Traces.Files;

namespace HangTriage.Tests.Fuzz;

/// <summary>Whatever a trace says, reading it ends in facts or one line, soon and in little memory. TRIAGE_TRACE_SEEDS changes the number of seeds.</summary>
public sealed class TraceFuzzTests
{
    private const int DefaultSeeds = 500;
    private const long AllowedBytes = 256L << 20;

    private static readonly TimeSpan s_allowedTime = TimeSpan.FromSeconds(10);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Damaged_traces_end_in_facts_or_a_refusal(bool isCompressed)
    {
        byte[] original = Seed(isCompressed);
        using TemporaryFolder folder = new();
        int facts = 0;
        int seeds = int.TryParse(Environment.GetEnvironmentVariable("TRIAGE_TRACE_SEEDS"), out int wanted) ? wanted : DefaultSeeds;
        for (int seed = 0; seed < seeds; seed++)
        {
            File.WriteAllBytes(folder["trace"], Mutation.Apply(original, seed));
            facts += Read(folder["trace"], $"compressed {isCompressed}, seed {seed}") ? 1 : 0;
        }

        Assert.True(facts > seeds / 3, $"{facts} of {seeds} gave facts");
    }

    [Fact]
    public void The_seeds_are_worthy()
    {
        using TemporaryFolder folder = new();
        File.WriteAllBytes(folder["trace"], Seed(isCompressed: true));
        TraceFacts whole = TraceFile.Read(folder["trace"], TraceContext.Default);

        Assert.Empty(whole.Gaps);
        Assert.True(whole.Switches.Value > 500);
        Assert.Contains(whole.Threads, thread => thread.Samples > 0 && thread.Functions.Count > 0);
        Assert.Contains(whole.Processes, process => process.Reads.Calls > 0);
    }

    private static bool Read(string path, string what)
    {
        OwnTime time = OwnTime.Start();
        long before = GC.GetAllocatedBytesForCurrentThread();
        bool isRead = true;
        try
        {
            TraceFacts facts = TraceFile.Read(path, TraceContext.Default);
            Assert.All(facts.Threads, thread => Assert.True(thread.Times is not { HasValue: true } times || (times.Value.Running >= TimeSpan.Zero && times.Value.Running + times.Value.Ready + times.Value.Waiting == thread.To - thread.From), what));
        }
        catch (TraceOpenException e)
        {
            Assert.False(e.Message.AsSpan().ContainsAny('\n', '\r', '\u001B'), e.Message);
            isRead = false;
        }
        catch (Exception e) when (e is not Xunit.Sdk.XunitException)
        {
            throw new InvalidOperationException($"{what}: {e.GetType().Name}: {e.Message}", e);
        }

        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.True(time.Elapsed < s_allowedTime, $"{what}: took {time.Elapsed}");
        Assert.True(allocated < AllowedBytes, $"{what}: allocated {allocated} bytes");
        return isRead;
    }

    private static byte[] Seed(bool isCompressed)
    {
        SyntheticTrace trace = new() { Processors = 3, IsCompressed = isCompressed };
        _ = new RandomSchedule(trace, threads: 9, seed: 3).Run(1_500);
        for (uint i = 0; i < 50; i++)
        {
            trace.Sample(100 + i, 0, 100, 0x7FF6_0000_1000UL + i).Stack(101 + i, 0, 100 + i, 40, 100, 0x7FF6_0000_1000UL + i, 0x7FF6_0000_2000)
                .Read(200 + i, 0, 40, 100, 0x8000 + i, 68).Registry(300 + i, 0, 40, 100, 16).StackKey(102 + i, 0, 100 + i, 40, 100, i, isKernel: i % 2 == 0);
        }

        trace.Process(0, 3, 40, "app.exe").Image(0, 3, 40, 0x7FF6_0000_0000, 0x10_0000, @"C:\app.exe").FileName(0, 0x8000, @"\Device\a").StackOfKey(900_000, 0, 7, 0x1000, 0x2000);
        return trace.Build();
    }
}
