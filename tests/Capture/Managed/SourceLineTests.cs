using HangTriage.Capture.Files;
using HangTriage.Capture.Managed.Sources;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>Lines of frames, against the source files themselves.</summary>
public sealed class SourceLineTests
{
    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task A_frame_names_the_line_that_it_is_in_by_the_PDB_beside_the_module(TargetFramework framework)
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", framework, DumpType.Full);
        string[] source = File.ReadAllLines(Repository.Sample("MonitorDeadlock", "Program.cs"));

        foreach (string method in new[] { "ReserveStock", "BookStock", "SettleOrders", "WriteReport", "MailReport" })
        {
            SourceLine line = LineOf(process, $"MonitorDeadlock.Program.{method}");
            Assert.Equal("MonitorDeadlock/Program.cs", line.File);
            Assert.Equal("lock (self.Wants)", source[line.Line - 1].Trim());
            Assert.Contains($" {method}(", source[..(int)line.Line].Last(text => text.Contains("private static void ", StringComparison.Ordinal)), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task An_embedded_PDB_serves_as_well()
    {
        DumpedProcess process = await Cores.TargetAsync("PrimitiveWaits", TargetFramework.Net10);
        string[] source = File.ReadAllLines(Path.Combine(Repository.Root, "tests", "Targets", "PrimitiveWaits", "Program.cs"));

        SourceLine line = LineOf(process, "PrimitiveWaits.Program.Main");

        Assert.Equal("PrimitiveWaits/Program.cs", line.File);
        Assert.Equal("never.WaitOne();", source[line.Line - 1].Trim());
    }

    [Fact]
    public void A_PDB_of_another_build_is_not_used()
    {
        string own = Path.ChangeExtension(typeof(SourceLineTests).Assembly.Location, ".pdb");

        Assert.Null(PortablePdb.Open(own, Guid.NewGuid(), long.MaxValue, out string problem));
        Assert.NotEmpty(problem);
    }

    [Fact]
    public void What_is_no_PDB_is_no_error()
    {
        using TemporaryFolder folder = new();
        byte[] bytes = new byte[4_096];
        new Random(7).NextBytes(bytes);
        "BSJB"u8.CopyTo(bytes);
        File.WriteAllBytes(folder["broken.pdb"], bytes);

        Assert.Null(PortablePdb.Open(folder["broken.pdb"], Guid.NewGuid(), long.MaxValue, out _));
        Assert.Null(PortablePdb.OpenEmbedded(folder["broken.pdb"], Guid.NewGuid(), long.MaxValue));
    }

    [Theory]
    [InlineData("//server/share/app.pdb")]
    [InlineData(@"\\server\share\app.pdb")]
    [InlineData("app.pdb")]
    [InlineData("/dev/zero")]
    [InlineData("/proc/self/exe")]
    [InlineData("/usr/../proc/self/exe")]
    [InlineData("")]
    public void A_path_that_leads_off_the_disk_is_not_opened(string path) => Assert.False(LocalFile.IsFit(path, long.MaxValue));

    [Fact]
    public void A_file_beyond_the_limit_is_not_opened()
    {
        string own = typeof(SourceLineTests).Assembly.Location;

        Assert.True(LocalFile.IsFit(own, new FileInfo(own).Length));
        Assert.False(LocalFile.IsFit(own, new FileInfo(own).Length - 1));
    }

    private static SourceLine LineOf(DumpedProcess process, string method)
        => Cores.Read(process).Threads.Value
            .SelectMany(thread => thread.Stack.Frames)
            .First(frame => frame.Method == method).Source!;
}
