using System.Diagnostics;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Verdicts;

namespace HangTriage.Tests.Support.Losses;

/// <summary>Has a build of the tool judge a dump without one of its parts, again and again.</summary>
public sealed class LossRun : IDisposable
{
    private const int MoreLooks = 3;

    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);

    private readonly IToolRunner _tool;
    private readonly LossyCopy _copy;
    private PagesRead? _pages;

    /// <param name="tool">The build.</param>
    /// <param name="dump">A whole dump, not packed.</param>
    /// <param name="folder">Where a copy of it goes.</param>
    public LossRun(IToolRunner tool, string dump, string folder)
    {
        _tool = tool;
        _copy = new LossyCopy(dump, Path.Combine(folder, $"lossy-{Environment.ProcessId}{Path.GetExtension(dump)}"));
        Parts = DumpPart.Of(dump);
        Whole = VerdictSummary.Of(Analyze());
        _pages = PagesRead.By(() => Analyze(), _copy.FilePath)?.With(PagesRead.By(() => Analyze(), _copy.FilePath));
    }

    public IReadOnlyList<DumpPart> Parts { get; }

    /// <summary>The verdict on the whole dump.</summary>
    public VerdictSummary Whole { get; }

    /// <summary>Whether any page of the part is read in the whole dump; null where that is not known.</summary>
    public bool? IsRead(DumpPart part) => _pages?.Any(part.Offset, part.Size);

    public LossResult Judge(DumpPart part, Loss loss)
    {
        ToolRun run;
        Stopwatch watch = Stopwatch.StartNew();
        using (_copy.Lose(loss))
        {
            run = Analyze();
        }

        TimeSpan time = watch.Elapsed;
        VerdictSummary verdict = VerdictSummary.Of(run);

        // What matters was read: where no look has seen that, the kernel may have taken the pages back before each look's end.
        for (int look = 0; look < MoreLooks && verdict != Whole && IsRead(part) == false; look++)
        {
            _pages = _pages?.With(PagesRead.By(() => Analyze(), _copy.FilePath));
        }

        return new LossResult(part, loss, IsRead(part), verdict, run.ExitCode, time);
    }

    public void Dispose() => _copy.Dispose();

    private ToolRun Analyze() => _tool.Analyze(_copy.FilePath, "json", s_limit);
}
