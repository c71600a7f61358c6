using HangTriage.Capture;
using HangTriage.Capture.Targets;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Synthetic.Scenarios;
using HangTriage.Tests.Support.Waiting;

namespace HangTriage.Tests.Fuzz;

/// <summary>Whatever an image file or a PDB says, the capture ends in facts, soon and in little memory.</summary>
public sealed class SymbolFuzzTests
{
    private const int Seeds = 1_000;
    private const int Cuts = 200;
    private const long AllowedBytes = 256L << 20;

    private static readonly TimeSpan s_allowedTime = TimeSpan.FromSeconds(10);

    [Theory]
    [InlineData("app.exe", 0xD4)]
    [InlineData("ntdll.dll", 0xD4)]
    [InlineData("app.pdb", 0)]
    public void Damaged_files_end_in_facts(string name, int keptHead)
    {
        using TemporaryFolder folder = new();
        string dump = SmallDump.Create().WriteAll(folder.Folder);
        byte[] original = File.ReadAllBytes(folder[name]);
        Assert.Equal(4, Capture(dump, folder).Threads.Value[0].Stack.Frames.Count);
        int whole = 0;
        for (int seed = 0; seed < Seeds + Cuts; seed++)
        {
            byte[] bytes = seed < Seeds ? Mutation.Apply(original, seed) : original[..(int)((long)original.Length * (seed - Seeds) / Cuts)];

            // Every other image keeps what tells builds apart, or all would be refused for it.
            if (seed % 2 == 0 && bytes.Length > keptHead)
            {
                original.AsSpan(0, keptHead).CopyTo(bytes);
            }

            File.WriteAllBytes(folder[name], bytes);
            whole += Judge(dump, folder, $"{name}, seed {seed}") ? 1 : 0;
        }

        Assert.True(whole > Seeds / 20, $"{name}: only {whole} damaged files were of any use");
    }

    private static bool Judge(string dump, TemporaryFolder folder, string what)
    {
        OwnTime time = OwnTime.Start();
        long before = GC.GetAllocatedBytesForCurrentThread();
        ProcessSnapshot snapshot;
        try
        {
            snapshot = Capture(dump, folder);
            using MemoryStream json = new();
            FactsFile.Write(Case.Of(snapshot), json);
            json.Position = 0;
            FactsFile.Read(json);
        }
        catch (Exception e)
        {
            throw new InvalidOperationException($"{what}: {e.GetType().Name}: {e.Message}", e);
        }

        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.True(time.Elapsed < s_allowedTime, $"{what}: took {time.Elapsed}");
        Assert.True(allocated < AllowedBytes, $"{what}: allocated {allocated} bytes");
        Assert.NotEmpty(snapshot.Threads.Value[0].Stack.Frames);
        return snapshot.Threads.Value[0].Stack.Frames.Count > 1;
    }

    private static ProcessSnapshot Capture(string dump, TemporaryFolder folder)
        => TargetFile.Capture(dump, CaptureContext.Default with { Symbols = SymbolPath.OfFolder(folder.Folder) });
}
