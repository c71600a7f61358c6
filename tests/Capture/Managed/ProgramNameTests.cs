using System.Diagnostics;
using HangTriage.Capture;
using HangTriage.Capture.Managed;
using HangTriage.Capture.Targets;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.Capture.Managed;

public sealed class ProgramNameTests
{
    [Fact]
    public async Task A_program_that_dotnet_runs_is_called_by_its_assembly()
    {
        using TemporaryFolder folder = new();
        string program = DotNetPrograms.Find("Healthy", TargetFramework.Net10);
        ProcessStartInfo start = new("dotnet", [program + ".dll"]);
        await DumpTool.DumpAsync(start, [(DumpType.Normal, folder["mini"]), (DumpType.WithHeap, folder["heap"])], TestContext.Current.CancellationToken);

        Assert.All(folder.Names, name => Assert.Equal("dotnet Healthy.dll", TargetFile.Capture(folder[name], CaptureContext.Default).Target.ProcessName.Value));
    }

    [Theory]
    [InlineData("dotnet.exe", "web.dll", "dotnet web.dll")]
    [InlineData("dotnet", null, "dotnet")]
    [InlineData("web", "web.dll", "web")]
    public void Only_the_host_s_own_name_gives_way(string process, string? program, string expected)
        => Assert.Equal(expected, ProgramAssembly.AddTo(Known.Read(process), program).Value);

    [Fact]
    public void An_unknown_name_stays_unknown()
        => Assert.False(ProgramAssembly.AddTo(Known.Unknown<string>("process name", "not recorded"), "web.dll").HasValue);
}
