using System.Diagnostics;
using System.Text;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.EndToEnd;

/// <summary>A process full of a secret: its core has it in many places, and nothing that the tool writes has it.</summary>
public sealed class SecretTests : IDisposable
{
    private const string Secret = "hunter2-c0rrect-h0rse";

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task No_report_and_no_facts_hold_what_is_in_memory_arguments_and_environment()
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("cores are written on Linux");
        }

        string program = DotNetPrograms.Find("Secrets", TargetFramework.Net10);
        ProcessStartInfo start = new(program, [Secret]);
        start.Environment["API_KEY"] = Secret;
        await DumpTool.DumpAsync(start, [(DumpType.Full, _folder["core"])], TestContext.Current.CancellationToken);
        byte[] core = await File.ReadAllBytesAsync(_folder["core"], TestContext.Current.CancellationToken);
        Assert.InRange(Count(core, Encoding.Unicode.GetBytes(Secret)), 4, int.MaxValue);
        Assert.InRange(Count(core, Encoding.UTF8.GetBytes($"API_KEY={Secret}")), 1, int.MaxValue);

        string[][] commands =
        [
            ["analyze"], ["analyze", "-v"], ["analyze", "--deep", "-v"], ["analyze", "--format", "markdown"], ["analyze", "--format", "html"], ["analyze", "--format", "json"], ["capture", "-o", "-"],
        ];
        Assert.All(commands, command =>
        {
            ToolRun run = Tool.Run([.. command, _folder["core"], .. DotNetPrograms.DacOptions(program)]);
            Assert.Contains("Secrets", run.Out, StringComparison.Ordinal);
            Assert.DoesNotContain("hunter2", run.Out + run.Error, StringComparison.OrdinalIgnoreCase);
            Assert.DoesNotContain("Password", run.Out + run.Error, StringComparison.Ordinal);
        });
    }

    private static int Count(ReadOnlySpan<byte> bytes, ReadOnlySpan<byte> wanted)
    {
        int count = 0;
        for (int found = bytes.IndexOf(wanted); found >= 0; found = bytes.IndexOf(wanted))
        {
            count++;
            bytes = bytes[(found + wanted.Length)..];
        }

        return count;
    }
}
