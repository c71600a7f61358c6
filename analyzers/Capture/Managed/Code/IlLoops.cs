namespace HangTriage.Capture.Managed.Code;

/// <summary>The loops of a method, by its branches back.</summary>
internal static class IlLoops
{
    /// <summary>
    /// The instructions of all loops around the place; of a method without a map of all that it has; and all of it where its loops are those
    /// of others.
    /// </summary>
    public static IEnumerable<IlInstruction> InstructionsAround(IReadOnlyList<IlInstruction> body, int? at)
    {
        (int Start, int End)[] around = [.. Longest(body).Where(loop => at is not { } place || (loop.Start <= place && place < loop.End))];
        return around.Length == 0 ? body : In(body, (around.Min(loop => loop.Start), around.Max(loop => loop.End)));
    }

    /// <summary>The innermost loop around the place: the shortest branch back over it. Null where there is none.</summary>
    public static (int Start, int End)? Around(IReadOnlyList<IlInstruction> body, int at)
    {
        (int Start, int End)? best = null;
        foreach (IlInstruction branch in body)
        {
            if (branch.IsBranch && branch.Operand <= at && branch.End > at && branch.Operand < branch.Offset
                && (best is not { } known || branch.End - branch.Operand < known.End - known.Start))
            {
                best = (branch.Operand, branch.End);
            }
        }

        return best;
    }

    /// <summary>The outermost loop around the place; null where there is none.</summary>
    public static (int Start, int End)? AllAround(IReadOnlyList<IlInstruction> body, int at)
        => WaitLoops(body).Where(loop => loop.Start <= at && at < loop.End).ToArray() is { Length: > 0 } around
            ? (around.Min(loop => loop.Start), around.Max(loop => loop.End))
            : null;

    /// <summary>The loops, one for each place to which a branch leads back: the longest of those.</summary>
    public static IEnumerable<(int Start, int End)> Longest(IReadOnlyList<IlInstruction> body)
        => WaitLoops(body).GroupBy(loop => loop.Start).Select(group => (group.Key, group.Max(loop => loop.End)));

    /// <summary>The instructions of a loop.</summary>
    public static IlInstruction[] In(IReadOnlyList<IlInstruction> body, (int Start, int End) loop)
        => [.. body.Where(instruction => IsIn(instruction, loop))];

    /// <summary>The instruction is one of the loop's.</summary>
    public static bool IsIn(IlInstruction instruction, (int Start, int End) loop)
        => instruction.Offset >= loop.Start && instruction.End <= loop.End;

    /// <summary>Every branch back.</summary>
    public static IEnumerable<(int Start, int End)> WaitLoops(IReadOnlyList<IlInstruction> body)
        => body.Where(branch => branch.IsBranch && branch.Operand < branch.Offset).Select(branch => (branch.Operand, branch.End));
}
