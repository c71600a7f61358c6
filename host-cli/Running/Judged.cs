using HangTriage.Capture.Live;
using HangTriage.Capture.Linux.Live;
using HangTriage.Facts;
using HangTriage.Rules.Policy;

namespace HangTriage.Cli.Running;

/// <summary>A process of the tree, and what is said of it.</summary>
internal sealed record Judged(ProcessEntry Process, Case Case, Analysis Analysis)
{
    private const string SpinningThread = "HT4001";

    /// <summary>
    /// It hangs, or something in it waits that matters and that the samples do not show to have moved, or a thread turns in
    /// a loop that waits for something: a command that should end will not. Of a process without .NET only a hang counts.
    /// </summary>
    public bool IsStuck
        => Analysis.Result.Verdict is var verdict
            && (verdict.Kind.IsHang()
                || (Process.IsDotNet == true
                    && ((verdict.Kind == VerdictKind.Inconclusive && verdict.Suspects.Any(suspect => suspect.Matters))
                        || (verdict.Kind == VerdictKind.BusyNotHung && verdict.Rule?.Id == SpinningThread))));
}
