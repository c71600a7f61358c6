using HangTriage.Rules;
using HangTriage.Rules.Policy;

namespace HangTriage.Cli;

/// <summary>The exit codes that scripts build on. 1 means one thing: a hang was found.</summary>
internal static class ExitCode
{
    public const int Done = 0;
    public const int Hang = 1;
    public const int Inconclusive = 2;

    /// <summary>The command line cannot be carried out as it was given (EX_USAGE).</summary>
    public const int Usage = 64;

    /// <summary>The input cannot be read (EX_DATAERR).</summary>
    public const int Input = 65;

    /// <summary>A rule failed, or the tool did (EX_SOFTWARE).</summary>
    public const int Failed = 70;

    /// <summary>The output cannot be written (EX_CANTCREAT).</summary>
    public const int Output = 73;

    /// <summary>A command that was watched hung, or took too long, and was ended (as timeout(1) says it).</summary>
    public const int RunEnded = 124;

    /// <summary>Ended by Ctrl+C (128 + SIGINT).</summary>
    public const int Interrupted = 130;

    /// <summary>A failed rule goes before the verdict, which may be wrong without it.</summary>
    public static int Of(TriageResult result)
        => result.HasFailedRule ? Failed
            : result.Verdict.Kind == VerdictKind.Inconclusive ? Inconclusive
            : result.Verdict.Kind.IsHang() ? Hang
            : Done;
}
