using System.Net;
using System.Text.RegularExpressions;
using HangTriage.Facts;
using HangTriage.Reports.Graph;
using HangTriage.Reports.Markdown;
using HangTriage.Reports.Traces;
using HangTriage.Rules;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Synthetic.Traces;
using HangTriage.Tests.Support.Synthetic.Traces.Scenarios;
using HangTriage.Tests.Unit.Reports;
using HangTriage.Tests.Unit.Traces;

namespace HangTriage.Tests.Unit.Browser;

/// <summary>The graphs of Markdown reports, drawn by Mermaid itself (the npm package; tests alone use it).</summary>
public sealed partial class MermaidTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public static string Script => Path.Combine(Repository.Artifacts, "mermaid", "mermaid.min.js");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Every_graph_is_drawn_with_its_labels_as_they_are()
    {
        WaitPicture[] pictures =
        [
            .. SampleResults.All().Concat(StoredSamples.Names.Select(StoredSamples.Result)).Concat([Crowded.StarvedService(300), Crowded.Circle(3), Crowded.Circle(200), Crowded.Everything(200, 200)])
                .Concat(MarkdownReportTests.HostileTexts.Select(row => SampleResults.Hostile(row.Data)))
                .Select(WaitPictureBuilder.Of).OfType<WaitPicture>(),
            Large(),
        ];

        string[] drawn = Draw(pictures.Select(Mermaid.Of));

        Assert.Equal(pictures.Length, drawn.Length);
        foreach ((WaitPicture picture, string text) in pictures.Zip(drawn))
        {
            Assert.All(picture.Nodes.SelectMany(node => node.Lines), line => Assert.Contains(Spaceless(line.Replace('\\', '\u2216')), Spaceless(text), StringComparison.Ordinal));
        }
    }

    /// <summary>Names of threads and processes are a stranger's.</summary>
    [Fact]
    public void A_timeline_is_drawn_with_every_bar_and_name()
    {
        TraceFacts antivirus = EtlFile.Read(AntivirusTrace.Build());
        TraceFacts hostile = EtlFile.Read(new SyntheticTrace()
            .Process(0, 3, 9, "a:b;c#d\n<i>x</i>%%{e}%%").Thread(0, 3, 9, 5, "section x :crit, 1, 2\nclick y")
            .Switch(100, 0, 5, 0).Switch(20_000_000, 0, 0, 5).Ready(60_000_000, 0, 5).Switch(80_000_000, 0, 5, 0).Switch(90_000_000, 0, 0, 5));
        string[] charts = [.. new[] { antivirus, hostile, EtlFile.Read(OutrankedTrace.Build()) }.Select(facts => MermaidGantt.Of(Timelines.Of(facts, pid: null), facts.Length)!)];

        string[] drawn = [.. Draw(charts).Select(Spaceless)];

        Assert.Contains(Spaceless("waits, file system filter, ended by MsMpEng.exe 3.6 s"), drawn[0], StringComparison.Ordinal);
        Assert.Contains(Spaceless("0x2bc of git.exe"), drawn[0], StringComparison.Ordinal);
        Assert.Contains(Spaceless("section x :crit, 1, 2"), drawn[1], StringComparison.Ordinal);
        Assert.Contains(Spaceless("ready 2 s"), drawn[1], StringComparison.Ordinal);
        Assert.Contains(Spaceless("ready 19.49 s"), drawn[2], StringComparison.Ordinal);
        Assert.All(drawn, text => Assert.DoesNotContain("ERROR", text, StringComparison.Ordinal));
    }

    /// <summary>More boxes than a report draws, which Mermaid has to be able to draw all the same.</summary>
    private static WaitPicture Large()
        => new(
            [.. Enumerable.Range(0, 200).Select(index => new PictureNode(index % 2 == 0 ? PictureNodeKind.Thread : PictureNodeKind.Lock, [$"node {index}", "in App.Code.Run(System.String[])"]))],
            [.. Enumerable.Range(0, 199).Select(index => new PictureEdge(index, index + 1, "waits for"))]);

    /// <summary>The words of each drawing; "ERROR ..." where there is none.</summary>
    private string[] Draw(IEnumerable<string> graphs)
    {
        if (!File.Exists(Script))
        {
            Skip.Because("mermaid.min.js of the npm package mermaid is not in artifacts/mermaid; .ci/run puts it there");
        }

        string page = _folder.Write(
            "mermaid.html",
            $$"""
            <!doctype html><meta charset="utf-8"><body>{{string.Concat(graphs.Select(graph => $"<pre>{WebUtility.HtmlEncode(graph)}</pre>"))}}
            <script src="file://{{Script}}"></script>
            <script>
            onload = async () => {
              mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', maxEdges: 500 });
              let number = 0;
              for (const graph of [...document.querySelectorAll('pre')]) {
                const line = document.createElement('samp');
                try {
                  const drawing = document.createElement('div');
                  drawing.innerHTML = (await mermaid.render('g' + number++, graph.textContent)).svg;
                  line.textContent = [...drawing.querySelectorAll('.nodeLabel, .edgeLabel, .sectionTitle, .taskText, .taskTextOutsideRight, .taskTextOutsideLeft')].map(label => label.textContent).join(' ');
                } catch (error) {
                  line.textContent = 'ERROR ' + error;
                }
                graph.remove();
                document.body.append(line);
              }
            };
            </script></body>
            """);
        (string dom, IReadOnlyList<string> console) = Chromium.Show("file://" + page);
        Assert.Empty(console);
        return [.. Lines().Matches(dom).Select(match => WebUtility.HtmlDecode(match.Groups[1].Value))];
    }

    private static string Spaceless(string text) => string.Concat(text.Where(letter => !char.IsWhiteSpace(letter)));

    [GeneratedRegex("<samp>(.*?)</samp>", RegexOptions.Singleline)]
    private static partial Regex Lines();
}
