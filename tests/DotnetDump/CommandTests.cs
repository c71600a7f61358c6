using HangTriage.Tests.Support;
using Microsoft.Diagnostics.DebugServices;

namespace HangTriage.Tests.DotnetDump;

/// <summary>How the command speaks to its host.</summary>
public sealed class CommandTests
{
    [Fact]
    public async Task The_output_is_whole_lines_of_ASCII()
    {
        using HostSession host = new(await SharedCores.OfAsync("MonitorDeadlock"));

        string output = host.Run(("--verbose", true));

        Assert.EndsWith("\n", output, StringComparison.Ordinal);
        Assert.DoesNotContain(output, character => character is not ('\n' or (>= ' ' and < '\x7f')));
    }

    [Fact]
    public async Task Verbose_shows_threads_that_the_plain_report_counts()
    {
        string core = await SharedCores.OfAsync("Healthy");
        using HostSession plain = new(core);
        using HostSession verbose = new(core);

        Assert.Contains(" more", plain.Run(), StringComparison.Ordinal);
        Assert.True(verbose.Run(("--verbose", true)).Length > plain.Output.Length);
    }

    [Fact]
    public async Task Cancellation_ends_it_with_one_line()
    {
        using HostSession host = new(await SharedCores.OfAsync("Healthy")) { CancellationToken = new CancellationToken(canceled: true) };

        Assert.Equal("triage: stopped: cancelled; there is no verdict\n", host.Run());
    }

    [Fact]
    public async Task The_incident_report_goes_to_a_file()
    {
        using HostSession host = new(await SharedCores.OfAsync("MonitorDeadlock"));
        using TemporaryFolder folder = new();

        host.Run(("--markdown", folder["incident.md"]));

        Assert.StartsWith("# ", await File.ReadAllTextAsync(folder["incident.md"], TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    [Fact]
    public void Without_a_target_one_line_says_what_to_do()
    {
        using HostSession host = new(dump: null);

        DiagnosticsException error = Assert.Throws<DiagnosticsException>(() => host.Run());

        Assert.Equal("triage: there is nothing to judge: open a dump or attach first", error.Message);
    }

    [Theory]
    [InlineData("--timeout", -1, "triage: --timeout is a number of seconds, 0 for no limit")]
    [InlineData("--json", "/no/such/folder/x.json", "triage: /no/such/folder/x.json: its folder does not exist")]
    [InlineData("--markdown", "/", "triage: /: is a folder")]
    public async Task What_cannot_be_carried_out_is_refused_before_the_work_with_one_line(string option, object value, string message)
    {
        using HostSession host = new(await SharedCores.OfAsync("Healthy"));

        DiagnosticsException error = Assert.Throws<DiagnosticsException>(() => host.Run((option, value)));

        Assert.Equal(message, error.Message);
        Assert.Empty(host.Output);
    }
}
