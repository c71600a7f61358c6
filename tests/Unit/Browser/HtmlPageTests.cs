using System.Text.RegularExpressions;
using HangTriage.Reports.Html;
using HangTriage.Rules;
using HangTriage.Tests.Support;
using HangTriage.Tests.Unit.Reports;

namespace HangTriage.Tests.Unit.Browser;

/// <summary>The report as a page, in a real browser.</summary>
public sealed partial class HtmlPageTests : IDisposable
{
    // A small phone, in CSS pixels.
    private const int Phone = 360;
    private const int Desk = 1_280;

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void A_link_into_a_folded_stack_opens_it_and_no_other()
    {
        string page = Page("spinner.html", SampleResults.Spinner());
        (string closed, IReadOnlyList<string> quiet) = Chromium.Show(page);
        (string opened, IReadOnlyList<string> console) = Chromium.Show(page + "#thread-0x6710");

        Assert.Empty(Open().Matches(closed));
        Assert.Contains("culprit", Assert.Single(Open().Matches(opened)).Value, StringComparison.Ordinal);
        Assert.Empty(quiet);
        Assert.Empty(console);
    }

    [Fact]
    public void Hostile_names_and_crowds_run_nothing_load_nothing_and_fit_a_phone()
    {
        (string Name, TriageResult Result)[] results =
        [
            ("hostile", SampleResults.Hostile(SampleResults.HostileText + "</style><img src=x onerror=alert(1)>")),
            ("deadlock", SampleResults.Deadlock()),
            ("starved", Crowded.StarvedService(300)),
            ("circle", Crowded.Circle(100)),
            ("long", SampleResults.Hostile(new string('n', 500))),
        ];
        string frames = string.Concat(results.Select(pair => $"<iframe id=\"{pair.Name}\" src=\"{Page(pair.Name + ".html", pair.Result)}\" style=\"width:{Phone}px;height:800px\"></iframe>"));
        string harness = _folder.Write(
            "all.html",
            $$"""
            <!doctype html><body>{{frames}}<script>
            onload = () => document.querySelectorAll('iframe').forEach(frame => {
              const page = frame.contentDocument;
              const line = document.createElement('p');
              line.textContent = `${frame.id}: ${page.documentElement.scrollWidth <= {{Phone}} ? 'fits' : 'is ' + page.documentElement.scrollWidth + ' wide'}, ${page.querySelectorAll('script,img').length} loads, ${page.querySelectorAll('svg rect').length > 0 ? 'drawn' : 'no picture'}, back ${getComputedStyle(page.body).backgroundColor}`;
              document.body.append(line);
            });
            </script></body>
            """);

        (string light, IReadOnlyList<string> console) = Chromium.Show("file://" + harness);
        (string dark, _) = Chromium.Show("file://" + harness, "--blink-settings=preferredColorScheme=0");

        Assert.Equal(results.Select(pair => $"{pair.Name}: fits, 0 loads, drawn, back rgb(255, 255, 255)"), Lines().Matches(light).Select(match => match.Groups[1].Value));
        Assert.All(Lines().Matches(dark).Select(match => match.Groups[1].Value), line => Assert.EndsWith("back rgb(13, 17, 23)", line, StringComparison.Ordinal));
        Assert.Empty(console);
    }

    /// <summary>A request of any kind would be a line of the console: the page's policy forbids all.</summary>
    [Fact]
    public void Every_samples_page_fits_a_phone_and_a_desk_and_its_links_lead_somewhere()
    {
        string[] names = [.. StoredSamples.Names];
        string frames = string.Concat(names.SelectMany(name => new[] { Phone, Desk }.Select(width => $"<iframe id=\"{name}-{width}\" src=\"{Page(name + ".html", StoredSamples.Result(name))}\" style=\"width:{width}px;height:800px\"></iframe>")));
        string harness = _folder.Write(
            "samples.html",
            $$"""
            <!doctype html><body>{{frames}}<script>
            onload = () => document.querySelectorAll('iframe').forEach(frame => {
              const page = frame.contentDocument;
              const lost = [...page.querySelectorAll('a')].filter(link => !page.getElementById(link.getAttribute('href').slice(1))).length;
              const line = document.createElement('p');
              line.textContent = `${frame.id.replaceAll('-', '_')}: ${page.documentElement.scrollWidth <= frame.clientWidth ? 'fits' : 'is ' + page.documentElement.scrollWidth + ' wide'}, ${lost} dead links, ${page.querySelectorAll('script,img,link').length} loads`;
              document.body.append(line);
            });
            </script></body>
            """);

        (string shown, IReadOnlyList<string> console) = Chromium.Show("file://" + harness);

        Assert.Equal(names.SelectMany(name => new[] { Phone, Desk }.Select(width => $"{name}_{width}: fits, 0 dead links, 0 loads")), Lines().Matches(shown).Select(match => match.Groups[1].Value));
        Assert.Empty(console);
    }

    private string Page(string name, TriageResult result)
    {
        using StringWriter writer = new();
        HtmlReport.Write(result, writer);
        return "file://" + _folder.Write(name, writer.ToString());
    }

    [GeneratedRegex("<details open=\"\">\\s*<summary>[^<]*")]
    private static partial Regex Open();

    [GeneratedRegex("<p>(\\w+: [^<]*)</p>")]
    private static partial Regex Lines();
}
