using System.IO.Compression;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Losses;
using HangTriage.Tests.Support.Verdicts;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.EndToEnd;

/// <summary>A dump without one of its parts still gets an answer, and neither health nor another hang. tests/Verdicts tries every part.</summary>
public sealed class LossTests : IDisposable
{
    // With --all every one.
    private const int LostParts = 3;
    private const int NotReadParts = 1;

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_minidump_without_a_stream_or_a_stack_is_not_taken_for_something_else()
    {
        await using (GZipStream packed = new(File.OpenRead(Repository.Sample("LoaderLockSpin", "hang.dmp.gz")), CompressionMode.Decompress))
        await using (FileStream dump = File.Create(_folder["hang.dmp"]))
        {
            await packed.CopyToAsync(dump, TestContext.Current.CancellationToken);
        }

        Check(_folder["hang.dmp"], part => part.Name.StartsWith("stream", StringComparison.Ordinal) || part.Holds.Contains("stack of", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_core_without_its_notes_or_a_stack_is_not_taken_for_something_else()
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("cores are written on Linux");
        }

        DumpedProcess process = await CoreDumps.OfSampleAsync("MonitorDeadlock", TargetFramework.Net10, DumpType.WithHeap, TestContext.Current.CancellationToken);

        Check(process.CorePath, part => part.Holds == "notes" || part.Holds.Contains("stack of", StringComparison.Ordinal));
    }

    // And some parts that are not read in the whole dump, which have to change nothing.
    private void Check(string dump, Func<DumpPart, bool> isChosen)
    {
        using LossRun run = new(AnyTool.OfTests, dump, _folder.Folder);
        Assert.True(run.Whole.IsHang && run.Whole.IsSure, $"{run.Whole}");
        DumpPart[] chosen = [.. run.Parts.Where(isChosen)];
        Assert.True(chosen.Length >= LostParts, $"{chosen.Length} parts");
        DumpPart[] lost = Tier.IsWhole ? chosen : [.. Enumerable.Range(0, LostParts).Select(i => chosen[i * (chosen.Length - 1) / (LostParts - 1)])];
        DumpPart[] parts = [.. lost, .. run.Parts.Where(part => run.IsRead(part) == false).Take(NotReadParts)];

        IEnumerable<LossResult> results = parts.SelectMany(part => part.Losses.Select(loss => run.Judge(part, loss)));

        Assert.Empty(results.Where(result => result.Faults(run.Whole).Count > 0).Select(result => result.Line(run.Whole)));
    }
}
