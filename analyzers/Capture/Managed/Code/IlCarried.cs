using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>
/// Tells loops that compute: they carry a value from one round to the next, in a variable or a field, that is more than a count. A loop that
/// only looks whether somebody else has changed something carries none.
/// </summary>
internal static class IlCarried
{
    /// <param name="loop">The instructions of a loop.</param>
    public static bool Any(IReadOnlyList<IlInstruction> loop)
    {
        HashSet<(bool, int)> stored = [];
        HashSet<(bool, int)> carried = [];
        HashSet<int> fields = [.. loop.Where(instruction => instruction.ReadsField).Select(instruction => instruction.Operand)];
        for (int index = 0; index < loop.Count; index++)
        {
            IlInstruction instruction = loop[index];
            bool comesBack = instruction.Stores ? fields.Contains(instruction.Operand) : instruction.WritesVariable && carried.Contains(instruction.Variable);
            if (comesBack && !IsCount(loop, index))
            {
                return true;
            }

            // What is read before it is written comes from the round before.
            if (instruction.ReadsVariable && !stored.Contains(instruction.Variable))
            {
                carried.Add(instruction.Variable);
            }
            else if (instruction.WritesVariable)
            {
                stored.Add(instruction.Variable);
            }
        }

        return false;
    }

    // A constant, added to something or taken from it, and kept: perhaps as another kind of number, and perhaps handed on as well.
    private static bool IsCount(IReadOnlyList<IlInstruction> loop, int index)
    {
        ILOpCode[] before = [.. loop.Take(index).Reverse().Select(instruction => instruction.Code).SkipWhile(code => code == ILOpCode.Dup)];
        return before is [ILOpCode.Add or ILOpCode.Sub or ILOpCode.Add_ovf or ILOpCode.Sub_ovf, ..]
            && before.Skip(1).SkipWhile(code => code is ILOpCode.Conv_i8 or ILOpCode.Conv_i4).FirstOrDefault() is ILOpCode.Ldc_i4 or ILOpCode.Ldc_i4_s or ILOpCode.Ldc_i8
                or (>= ILOpCode.Ldc_i4_0 and <= ILOpCode.Ldc_i4_8);
    }
}
