using System.Globalization;
using HangTriage.Tests.Support.Verdicts;

namespace HangTriage.Tests.Support.Losses;

/// <summary>What the tool said of a dump of which one part is lost.</summary>
/// <param name="Part">The part.</param>
/// <param name="Loss">How it was lost.</param>
/// <param name="IsRead">Whether the tool reads any page of it in the whole dump; null where that is not known.</param>
/// <param name="Verdict">Of the dump without it.</param>
/// <param name="ExitCode">Of the tool.</param>
/// <param name="Time">How long it took.</param>
public sealed record LossResult(DumpPart Part, Loss Loss, bool? IsRead, VerdictSummary Verdict, int ExitCode, TimeSpan Time)
{
    private const int NoHang = 0;
    private const int CannotRead = 65;
    private const int HangOrInconclusive = 2;

    /// <summary>What must not be; empty where all is well.</summary>
    public IReadOnlyList<string> Faults(VerdictSummary whole)
    {
        List<string> faults = [];
        if (ExitCode == NoHang || Verdict.IsHealth)
        {
            faults.Add("HEALTHY");
        }

        // A file that the tool refuses to read, with a line that says why, is an answer.
        if (ExitCode is not CannotRead && (ExitCode > HangOrInconclusive || Verdict.Kind == VerdictSummary.NoReport))
        {
            faults.Add("NO ANSWER");
        }

        // The same culprit of the same hang with less of the chain, by another rule, is the same hang.
        if (Verdict.IsHang && Verdict.IsSure && (Verdict.Kind, Verdict.Culprit) != (whole.Kind, whole.Culprit))
        {
            faults.Add("ANOTHER HANG");
        }

        if (IsRead == false && Verdict != whole)
        {
            faults.Add("NOT READ, YET DIFFERENT");
        }

        return faults;
    }

    /// <summary>A line of a table, its columns divided by tabs.</summary>
    public string Line(VerdictSummary whole) => string.Join('\t',
        Part.Name,
        Part.Size.ToString(CultureInfo.InvariantCulture),
        Part.Holds,
        IsRead switch { true => "read", false => "not read", null => "?" },
        Loss.Name,
        Verdict == whole ? "the same" : Verdict.ToString(),
        ExitCode.ToString(CultureInfo.InvariantCulture),
        Time.TotalSeconds.ToString("0.0", CultureInfo.InvariantCulture),
        string.Join(", ", Faults(whole)));
}
