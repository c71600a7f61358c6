using System.Text;
using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Threads;
using ThreadActivity = HangTriage.Rules.Threads.ThreadActivity;

namespace HangTriage.Reports;

/// <summary>What the values of enumerations are called in reports for people.</summary>
internal static class Words
{
    /// <summary>"Spinning owner", "Busy, not hung".</summary>
    public static string Of(VerdictKind kind) => kind switch
    {
        VerdictKind.NotHung => "Not hung",
        VerdictKind.BusyNotHung => "Busy, not hung",
        _ => Capital(Split(kind.ToString())),
    };

    public static string Of(Confidence confidence) => Split(confidence.ToString());

    /// <summary>"likely: every link was found"; the reason alone where the verdict has no confidence.</summary>
    public static string WithReason(Verdict verdict)
        => verdict.Confidence is { } confidence ? $"{Of(confidence)}: {verdict.ConfidenceReason}" : verdict.ConfidenceReason;

    public static string Of(Severity severity) => Split(severity.ToString());

    public static string Of(Trust trust) => trust switch
    {
        Trust.Scanned => "guessed from stack words",
        Trust.Assumed => "read through an unverified layout",
        _ => Split(trust.ToString()),
    };

    public static string Of(RuleOutcomeKind outcome) => Split(outcome.ToString());

    public static string Of(TargetKind kind) => kind switch
    {
        TargetKind.ElfCore => "ELF core",
        _ => Split(kind.ToString()),
    };

    public static string Of(LockKind kind) => kind switch
    {
        LockKind.SrwLock => "SRW lock",
        _ => Split(kind.ToString()),
    };

    /// <summary>"waits for a lock", "yielding", "idle pool worker".</summary>
    public static string Of(ThreadActivity state) => state switch
    {
        ThreadActivity.Unknown => "?",
        ThreadActivity.WaitsForIo => "waits for I/O",
        ThreadActivity.WaitsForObject => "waits for an object",
        ThreadActivity.WaitsForLock => "waits for a lock",
        ThreadActivity.WaitsForLoader => "waits for the loader",
        ThreadActivity.WaitsForAnswer => "waits for an answer",
        ThreadActivity.WaitsForReply => "waits for a reply",
        ThreadActivity.WaitsForMessage => "waits for a message",
        _ => Split(state.ToString()),
    };

    private static string Split(string name)
    {
        StringBuilder words = new(name.Length + 4);
        foreach (char letter in name)
        {
            if (char.IsUpper(letter) && words.Length > 0)
            {
                words.Append(' ');
            }

            words.Append(char.ToLowerInvariant(letter));
        }

        return words.ToString();
    }

    private static string Capital(string text) => char.ToUpperInvariant(text[0]) + text[1..];
}
