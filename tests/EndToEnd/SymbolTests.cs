using System.Text.Json;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.EndToEnd;

/// <summary>The real tool on a small dump: images and PDBs come from where the command line or the environment says, and from nowhere else.</summary>
public sealed class SymbolTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public SymbolTests()
    {
        Directory.CreateDirectory(_folder["files"]);
        File.Move(SmallDump.Create().WriteAll(_folder["files"]), _folder["small.dmp"]);
    }

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Symbols_are_where_the_command_line_says()
    {
        Assert.Contains("hidden", Frames("--symbols", "files"));
        Directory.CreateDirectory(_folder["images"]);
        File.Move(Path.Combine(_folder["files"], "app.exe"), Path.Combine(_folder["images"], "app.exe"));
        Assert.Contains("hidden", Frames("--symbols", "files", "--symbols", "images"));
        Assert.Contains("hidden", Frames("--symbols", "files;images"));
    }

    [Fact]
    public void Symbols_are_where_the_environment_says()
    {
        ToolRun run = Tool.Run(["analyze", "small.dmp", "--format", "json"], _folder.Folder, ("_NT_SYMBOL_PATH", "srv*files;what*ever"));
        Assert.Contains("hidden", Frames(run));
        Assert.Contains("not understood", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_beside_the_dump_or_in_the_current_folder_is_not_opened()
    {
        foreach (string file in Directory.GetFiles(_folder["files"]))
        {
            File.Copy(file, _folder[Path.GetFileName(file)]);
        }

        Assert.DoesNotContain("hidden", Frames());
    }

    [Fact]
    public void Captured_facts_keep_the_names()
    {
        Assert.Equal(0, Tool.Run(["capture", "small.dmp", "--symbols", "files", "-o", "small.facts.json"], _folder.Folder).ExitCode);
        Assert.Contains("hidden", Frames(Tool.Run(["analyze", "small.facts.json", "--format", "json"], _folder.Folder)));
        Tool.Run(["report", "small.dmp", "--symbols", "files", "-o", "incident.md"], _folder.Folder);
        Assert.Contains("app!hidden", File.ReadAllText(_folder["incident.md"]), StringComparison.Ordinal);
        Assert.DoesNotContain(_folder.Folder, File.ReadAllText(_folder["small.facts.json"]), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("missing")]
    [InlineData("")]
    [InlineData("srv*cache*ftp://symbols.example")]
    [InlineData("symsrv*other.dll*cache*http://symbols.example")]
    public void A_place_that_cannot_be_searched_is_64(string value)
    {
        ToolRun run = Tool.Run(["analyze", "small.dmp", "--symbols", value], _folder.Folder);
        Assert.Equal(64, run.ExitCode);
        Assert.Empty(run.Out);
        Assert.Matches(@"\Atriage: [^\n]*--symbols[^\n]*\n\z", run.Error);
    }

    private IReadOnlyList<string?> Frames(params string[] options)
        => Frames(Tool.Run(["analyze", "small.dmp", "--format", "json", .. options], _folder.Folder));

    private static IReadOnlyList<string?> Frames(ToolRun run)
    {
        Assert.True(run.ExitCode is 0 or 2, run.ToString());
        JsonElement threads = JsonDocument.Parse(run.Out).RootElement.GetProperty("threads");
        return [.. threads[0].GetProperty("frames").EnumerateArray().Select(frame => frame.TryGetProperty("method", out JsonElement name) ? name.GetString() : null)];
    }
}
