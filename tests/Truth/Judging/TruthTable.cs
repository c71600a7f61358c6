using System.Globalization;
using System.Text;

namespace HangTriage.Tests.Truth.Judging;

/// <summary>All judgements as text: the confusion matrix, what is asked of the tool, and a line for each program.</summary>
internal static class TruthTable
{
    // A hang that is called healthy is worse than none; so is a healthy program that is called hung.
    private const double RightHangs = 0.75;
    private const double RightHealthy = 0.9;

    public static string Of(IReadOnlyList<Judgement> judgements)
    {
        StringBuilder text = new();
        text.AppendLine("Kind wanted (rows, the best that is right) and kind said (columns)").AppendLine();
        AppendMatrix(text, judgements);
        text.AppendLine();
        AppendAims(text, judgements);
        foreach (IGrouping<bool, Judgement> half in judgements.GroupBy(judgement => judgement.Program.IsHung))
        {
            text.AppendLine().AppendLine(half.Key ? "Hung" : "Healthy");
            foreach (Judgement judgement in half)
            {
                text.AppendLine(CultureInfo.InvariantCulture, $"{(judgement.IsRight ? "right" : "WRONG"),-6} {judgement.Outcome,-13} {judgement.Program.Id,-28} {judgement.Said,-18} {judgement.Title}");
            }
        }

        return text.ToString();
    }

    private static void AppendMatrix(StringBuilder text, IReadOnlyList<Judgement> judgements)
    {
        string[] wanted = [.. judgements.Select(judgement => judgement.Program.Kinds[0]).Distinct()];
        string[] said = [.. wanted.Union(judgements.Select(judgement => judgement.Said))];
        List<string[]> lines = [["", .. said]];
        lines.AddRange(wanted.Select(row => (string[])[row, .. said.Select(column => CountOf(judgements, row, column))]));
        int[] widths = [.. Enumerable.Range(0, said.Length + 1).Select(column => lines.Max(line => line[column].Length))];
        foreach (string[] line in lines)
        {
            text.AppendLine(string.Join("  ", line.Select((word, column) => column == 0 ? word.PadRight(widths[0]) : word.PadLeft(widths[column]))).TrimEnd());
        }
    }

    private static string CountOf(IReadOnlyList<Judgement> judgements, string wanted, string said)
    {
        int count = judgements.Count(judgement => judgement.Program.Kinds[0] == wanted && judgement.Said == said);
        return count == 0 ? "." : count.ToString(CultureInfo.InvariantCulture);
    }

    private static void AppendAims(StringBuilder text, IReadOnlyList<Judgement> judgements)
    {
        Judgement[] hung = [.. judgements.Where(judgement => judgement.Program.IsHung)];
        Judgement[] healthy = [.. judgements.Where(judgement => !judgement.Program.IsHung)];
        int missed = hung.Count(judgement => judgement.Outcome == Outcome.Missed);
        int alarms = healthy.Count(judgement => judgement.Outcome == Outcome.FalseAlarm);
        int rightHung = hung.Count(judgement => judgement.IsRight);
        int rightHealthy = healthy.Count(judgement => judgement.IsRight);
        Append("hangs that are called healthy", missed, hung.Length, missed == 0, "none");
        Append("hangs with the right kind and culprit", rightHung, hung.Length, rightHung >= RightHangs * hung.Length, "three quarters");
        Append("healthy programs that are called hung", alarms, healthy.Length, alarms == 0, "none");
        Append("healthy programs that are called healthy", rightHealthy, healthy.Length, rightHealthy >= RightHealthy * healthy.Length, "nine tenths");

        void Append(string what, int count, int of, bool isMet, string wanted)
            => text.AppendLine(CultureInfo.InvariantCulture, $"{count} of {of} {what} (wanted: {wanted}){(isMet ? "" : "  NOT MET")}");
    }
}
