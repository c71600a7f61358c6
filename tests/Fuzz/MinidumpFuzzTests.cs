using HangTriage.Capture;
using HangTriage.Capture.Targets;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Waiting;

namespace HangTriage.Tests.Fuzz;

/// <summary>Whatever a file says, it ends in facts or in one clear refusal, soon and in little memory.</summary>
public sealed class MinidumpFuzzTests
{
    private const int SeedsPerDump = 60;
    private const int SeedsOfFullDump = 1500;
    private const int SeedsOfNativeHang = 300;
    private const long AllowedBytes = 256L << 20;

    private static readonly TimeSpan s_allowedTime = TimeSpan.FromSeconds(10);

    [Fact]
    public void Damaged_public_dumps_end_in_facts_or_a_refusal()
    {
        if (Repository.SharedData is not { } shared)
        {
            Skip.Because("the folder of public dumps is not there");
            return;
        }

        string[] dumps = [.. Directory.GetFiles(Path.Combine(shared, "dumps")), .. Directory.GetFiles(Path.Combine(shared, "not-windows"), "*.dmp")];
        Array.Sort(dumps, StringComparer.Ordinal);
        foreach (string dump in dumps)
        {
            Fuzz(Path.GetFileName(dump), File.ReadAllBytes(dump), SeedsPerDump);
        }
    }

    [Fact]
    public void Damaged_full_dumps_end_in_facts_or_a_refusal() => Fuzz("full dump", FullDump.Build(), SeedsOfFullDump);

    [Theory]
    [InlineData("x64")]
    [InlineData("x86")]
    [InlineData("WoW64")]
    public void Damaged_dumps_of_native_hangs_end_in_facts_or_a_refusal(string kind) => Fuzz(kind, NativeHangDump.Build(kind), SeedsOfNativeHang);

    [Theory]
    [InlineData("x64", 7)]
    [InlineData("x86", 2)]
    [InlineData("WoW64", 2)]
    public void The_native_hangs_are_worthy_seeds(string kind, int waits)
        => Assert.Equal(waits, CaptureBytes(NativeHangDump.Build(kind))!.Windows!.Waits.Value.Count);

    [Fact]
    public void The_full_dump_is_a_worthy_seed()
    {
        ProcessSnapshot snapshot = CaptureBytes(FullDump.Build())!;
        Assert.True(snapshot.Windows!.LoaderLock.Value.IsHeld.Value);
        Assert.All(snapshot.Threads.Value, t => Assert.True(t.Stack.Frames.Count > 4));
        Assert.All(snapshot.Threads.Value.SelectMany(t => t.Stack.Frames), f => Assert.NotNull(f.Method));
        Assert.Empty(snapshot.Gaps);
    }

    private static void Fuzz(string name, byte[] original, int seeds)
    {
        int facts = 0;
        for (int seed = 0; seed < seeds; seed++)
        {
            byte[] bytes = Mutation.Apply(original, seed);
            OwnTime time = OwnTime.Start();
            long before = GC.GetAllocatedBytesForCurrentThread();
            try
            {
                facts += CaptureBytes(bytes) is null ? 0 : 1;
            }
            catch (Exception e)
            {
                throw new InvalidOperationException($"{name}, seed {seed}: {e.GetType().Name}: {e.Message}", e);
            }

            long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            Assert.True(time.Elapsed < s_allowedTime, $"{name}, seed {seed}: took {time.Elapsed}");
            Assert.True(allocated < AllowedBytes, $"{name}, seed {seed}: allocated {allocated} bytes");
        }

        // A mutation that only ever destroys the header tests nothing.
        Assert.True(name.EndsWith(".dmp", StringComparison.Ordinal) || facts > seeds / 3, $"{name}: {facts} of {seeds} gave facts");
    }

    /// <summary>The facts, written and read again; null where the file was refused in one line.</summary>
    private static ProcessSnapshot? CaptureBytes(byte[] bytes)
    {
        string folder = Path.Combine(Repository.Artifacts, "scratch");
        Directory.CreateDirectory(folder);
        string path = Path.Combine(folder, Guid.NewGuid().ToString("N"));
        File.WriteAllBytes(path, bytes);
        try
        {
            ProcessSnapshot snapshot = TargetFile.Capture(path, CaptureContext.Default);
            using MemoryStream json = new();
            FactsFile.Write(Case.Of(snapshot), json);
            json.Position = 0;
            return FactsFile.Read(json).Last;
        }
        catch (TargetOpenException e)
        {
            Assert.False(e.Message.AsSpan().ContainsAny('\n', '\r', '\u001B'), e.Message);
            return null;
        }
        finally
        {
            File.Delete(path);
        }
    }
}
