namespace HangTriage.Capture.Windows.Code;

/// <summary>
/// Finds the smallest loop around an instruction. A branch that leads backward makes a loop only of code that goes
/// round: cold blocks at a function's end jump back too, and the code that they jump over is passed once.
/// </summary>
internal static class LoopSearch
{
    /// <summary>Nested and failed candidates beyond this are not tried: code can be hostile.</summary>
    private const int MaxCandidates = 32;

    /// <summary>The first and the last instruction of the loop; null where none is around it.</summary>
    public static (int First, int Last)? Around(CodeListing code, int index)
    {
        List<(int First, int Last)> candidates = [];
        for (int last = index; last < code.Steps.Count; last++)
        {
            CodeStep step = code.Steps[last];
            if (step.LeadsBack && code.IndexAt(step.Target) is int first and >= 0 && first <= index)
            {
                candidates.Add((first, last));
            }
        }

        foreach ((int First, int Last) candidate in candidates
            .OrderBy(candidate => code.Steps[candidate.Last].End - code.Steps[candidate.First].Address).Take(MaxCandidates))
        {
            if (Reaches(code, candidate, candidate.First, index) && Reaches(code, candidate, index, candidate.Last))
            {
                return candidate;
            }
        }

        return null;
    }

    /// <summary>Whether control can get from one instruction to the other without leaving the range.</summary>
    private static bool Reaches(CodeListing code, (int First, int Last) range, int from, int to)
    {
        bool[] isSeen = new bool[range.Last - range.First + 1];
        Stack<int> open = new([from]);
        while (open.TryPop(out int index))
        {
            if (index == to)
            {
                return true;
            }

            if (index < range.First || index > range.Last || isSeen[index - range.First])
            {
                continue;
            }

            isSeen[index - range.First] = true;
            CodeStep step = code.Steps[index];
            switch (step.Flow)
            {
                case CodeFlow.Next:
                    open.Push(index + 1);
                    break;
                case CodeFlow.Branch:
                    open.Push(index + 1);
                    open.Push(code.IndexAt(step.Target));
                    break;
                case CodeFlow.Jump:
                    open.Push(code.IndexAt(step.Target));
                    break;
                case CodeFlow.Computed:
                    return true; // the table of a switch is not read: it can lead anywhere
            }
        }

        return false;
    }
}
