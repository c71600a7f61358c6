using System.Diagnostics;
using System.Net.Sockets;
using HangTriage.Tests.EndToEnd.Live;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.EndToEnd;

/// <summary>The real tool on input that it cannot read: 65, and one line that names the file.</summary>
public sealed class InputTests
{
    [Theory]
    [InlineData("")]
    [InlineData("{")]
    [InlineData("null", Traits = new[] { "Tier", "all" })]
    [InlineData("[]", Traits = new[] { "Tier", "all" })]
    [InlineData("{}", Traits = new[] { "Tier", "all" })]
    [InlineData("{\"schema\": 99}", Traits = new[] { "Tier", "all" })]
    [InlineData("not json", Traits = new[] { "Tier", "all" })]
    [InlineData("\u007fELF")]
    [InlineData("MDMP")]
    public void A_file_that_is_no_target_is_65_whatever_its_name_says(string content)
    {
        using TemporaryFolder folder = new();
        foreach (string name in new[] { "x.facts.json", "x.dmp", "x" })
        {
            folder.Write(name, content);
            foreach (string[] command in new string[][] { ["analyze", name], ["capture", name, "-o", "out"], ["report", name, "-o", "out"] })
            {
                AssertUnreadable(Tool.Run(command, folder.Folder), name);
                Assert.DoesNotContain("out", folder.Names);
            }

            File.Delete(folder[name]);
        }
    }

    [Theory]
    [InlineData("missing.dmp")]
    [InlineData("missing/folder.dmp")]
    [InlineData("folder")]
    [InlineData("@missing")]
    public void A_file_that_is_not_there_is_65(string name)
    {
        using TemporaryFolder folder = new();
        Directory.CreateDirectory(folder["folder"]);
        AssertUnreadable(Tool.Run(["analyze", name], folder.Folder), name);
    }

    [Fact]
    public void After_two_dashes_a_name_may_start_with_a_dash()
    {
        using TemporaryFolder folder = new();
        AssertUnreadable(Tool.Run(["analyze", "--", "-x"], folder.Folder), "-x");
        folder.Write("-x", SmallFacts.Idle());
        Assert.Equal(0, Tool.Run(["capture", "-o", "out", "--", "-x"], folder.Folder).ExitCode);
    }

    /// <summary>To open a pipe by its name waits until somebody writes to it, and nobody does here.</summary>
    [Theory]
    [InlineData("pipe", "this is a pipe, not a file", "pipe")]
    [InlineData("pipe", "this is a pipe, not a file", "analyze", "pipe")]
    [InlineData("pipe", "this is a pipe, not a file", "report", "pipe", "-o", "-")]
    [InlineData("pipe", "this is a pipe, not a file", "capture", "pipe", "-o", "-")]
    [InlineData("pipe", "this is a pipe, not a file", "trace", "pipe")]
    [InlineData("pipe", "this is a pipe, not a file", "summary", "pipe")]
    [InlineData("pipe", "this is a pipe, not a file", "analyze", "facts", "--earlier", "pipe")]
    [InlineData("pipe", "this is a pipe, not a file", "analyze", "facts", "--trace", "pipe")]
    [InlineData("pipe", "this is a pipe, not a file", "trace", "facts", "--tags", "pipe")]
    [InlineData("/dev/zero", "this is a device, not a file", "analyze", "/dev/zero")]
    [InlineData("/dev/null", "this is a device, not a file", "analyze", "/dev/null")]
    [InlineData("socket", "this is a socket or a device, not a file", "analyze", "socket")]
    [InlineData("folder", "this is a folder, not a file", "report", "folder", "-o", "-")]
    [InlineData("folder", "this is a folder, not a file", "trace", "folder")]
    [InlineData("folder", "this is a folder, not a file", "trace", "facts", "--tags", "folder")]
    public void What_is_no_file_is_65_at_once(string name, string why, params string[] arguments)
    {
        Linux.Need();
        using TemporaryFolder folder = new();
        folder.Write("facts", SmallFacts.Idle());
        Directory.CreateDirectory(folder["folder"]);
        using Process make = Process.Start("mkfifo", [folder["pipe"]]);
        make.WaitForExit();
        using Socket socket = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Bind(new UnixDomainSocketEndPoint(folder["socket"]));

        ToolRun run = Tool.Run(arguments, folder.Folder);

        AssertUnreadable(run, name);
        Assert.Equal($"triage: {name}: {why}\n", run.Error);
    }

    /// <summary>As it comes from a container or a server; the programs that unpack the others are part of the system.</summary>
    [Theory]
    [InlineData("facts.tar", "tar", "-cf", "facts.tar", "folder/facts")]
    [InlineData("facts.tar.gz", "tar", "-czf", "facts.tar.gz", "folder")]
    [InlineData("facts.tgz", "tar", "--format=pax", "-czf", "facts.tgz", "folder")]
    [InlineData("facts.tar.zst", "sh", "-c", "tar -cf - folder | zstd -q > facts.tar.zst")]
    [InlineData("facts.zst", "zstd", "-q", "folder/facts", "-o", "facts.zst")]
    [InlineData("facts.xz", "sh", "-c", "xz < folder/facts > facts.xz")]
    [InlineData("facts.lz4", "sh", "-c", "lz4 -q < folder/facts > facts.lz4")]
    public void What_a_system_packs_is_unpacked(string name, string program, params string[] arguments)
    {
        Linux.Need();
        using TemporaryFolder folder = new();
        Directory.CreateDirectory(folder["folder"]);
        folder.Write("folder/facts", SmallFacts.Deadlock());
        using Process pack = Process.Start(new ProcessStartInfo(program, arguments) { WorkingDirectory = folder.Folder })!;
        pack.WaitForExit();
        if (pack.ExitCode != 0)
        {
            Skip.Because($"{program} cannot make {name}: the program that packs it is not installed");
        }

        ToolRun run = Tool.Run(["analyze", name], folder.Folder);

        Assert.Equal(1, run.ExitCode);
        Assert.Empty(run.Error);
        Assert.StartsWith("== DEADLOCK", run.Out, StringComparison.Ordinal);
    }

    private static void AssertUnreadable(ToolRun run, string name)
    {
        Assert.True(run.ExitCode == 65, run.ToString());
        Assert.Empty(run.Out);
        Assert.Matches(@"\Atriage: [^\n]+\n\z", run.Error);
        Assert.StartsWith($"triage: {name}: ", run.Error, StringComparison.Ordinal);
    }
}
