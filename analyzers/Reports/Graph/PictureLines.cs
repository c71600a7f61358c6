using HangTriage.Facts;
using HangTriage.Reports;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Threads;

namespace HangTriage.Reports.Graph;

/// <summary>What stands in the boxes.</summary>
internal static class PictureLines
{
    private const int Longest = 90;

    /// <summary>The party's name; of a thread, where it is.</summary>
    public static IReadOnlyList<string> Of(Party party, ThreadAssessment? thread)
        => thread is null
            ? [Line(party.Label.Text)]
            : Of(party.Label.Text, thread);

    public static IReadOnlyList<string> Of(string name, ThreadAssessment thread)
        => ThreadGroup.Frame(thread) is { Method: not null } frame
            ? [Line(name), Line("in " + FrameText.Of(frame with { MethodOffset = null, ModuleOffset = null }))]
            : [Line(name)];

    public static string Line(string text) => Shorten.To(Printable.Line(text), Longest);
}
