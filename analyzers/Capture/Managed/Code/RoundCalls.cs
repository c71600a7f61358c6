using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>
/// Whether code goes round a loop and comes to one of certain instructions in each round, on every way, however the loop ends: as who gives
/// one thing after the other until he is told to stop does.
/// </summary>
internal static class RoundCalls
{
    /// <param name="sure">The instructions.</param>
    /// <param name="module">The module.</param>
    /// <param name="method">Its method.</param>
    /// <param name="from">The place in the method's instructions from where it continues.</param>
    public static bool Comes(SureCalls sure, IlModule module, int method, int from)
    {
        IlBody body = new(module, method);
        return body.Loops.Where(loop => loop.Start <= from && from < loop.End).Any(loop => Comes(sure, body, from, loop));
    }

    private static bool Comes(SureCalls sure, IlBody body, int from, (int Start, int End) loop)
    {
        bool comes = false;
        HashSet<int> seen = [];
        Stack<int> open = new([from]);
        while (open.TryPop(out int offset))
        {
            if (offset == from && seen.Count > 0)
            {
                return false;
            }

            if (offset < loop.Start || offset >= loop.End || !seen.Add(offset))
            {
                continue;
            }

            if (body.PlaceOf(offset) is not { } index || body.Instructions[index].Code == ILOpCode.Switch)
            {
                return false;
            }

            IlInstruction instruction = body.Instructions[index];
            if (instruction.End == from && IsLeave(instruction) && body.Suspends(index))
            {
                // All around: it awaits the same again.
                return false;
            }

            if (sure.IsOne(body, instruction) || (IsLeave(instruction) && sure.InFinally(body, instruction) == true))
            {
                comes = true;
            }
            else if (sure.Waits(body, instruction))
            {
                return false;
            }
            else
            {
                foreach (int next in NextOf(body, index, loop))
                {
                    open.Push(next);
                }
            }
        }

        return comes;
    }

    // Where it is left since what it awaits is not done yet, it comes back. Loops in it that end by themselves end.
    private static IReadOnlyList<int> NextOf(IlBody body, int index, (int Start, int End) loop)
    {
        IlInstruction instruction = body.Instructions[index];
        bool isBack = instruction.IsBranch && instruction.Operand > loop.Start && IlBoundedLoops.GoesRoundByCount(body, index);
        return IsLeave(instruction) && body.Suspends(index) ? []
            : isBack || body.AsksWhetherItSuspends(index) ? [instruction.End]
            : IlBody.After(instruction);
    }

    private static bool IsLeave(IlInstruction instruction) => instruction.Code is ILOpCode.Leave or ILOpCode.Leave_s;
}
