namespace HangTriage.Capture.Managed.Code;

/// <summary>The loops of a method, by its branches back.</summary>
internal static class IlLoops
{
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

    /// <summary>Every branch back.</summary>
    public static IEnumerable<(int Start, int End)> WaitLoops(IReadOnlyList<IlInstruction> body)
        => body.Where(branch => branch.IsBranch && branch.Operand < branch.Offset).Select(branch => (branch.Operand, branch.End));
}
