using HangTriage.Capture.Windows.Images;

namespace HangTriage.Capture.Windows.Unwind;

/// <summary>
/// The epilogs that unwind data of version 2 lists (UWOP_EPILOG, as the public sources of the .NET runtime's copy of
/// the Windows unwinder read it). Such an epilog starts with the pops, behind the release of the locals.
/// </summary>
internal static class X64EpilogList
{
    /// <summary>Whether an address lies in one of the epilogs.</summary>
    /// <param name="info">The function's unwind data.</param>
    /// <param name="range">The function's range, to whose end the epilogs are relative.</param>
    /// <param name="rva">The address, from the image's base.</param>
    /// <param name="done">The bytes of the epilog before the address.</param>
    public static bool TryFind(UnwindInfo info, FunctionEntry range, uint rva, out uint done)
    {
        const int LastEpilogIsAtEnd = 1;
        done = 0;
        if (info.CodeCount == 0 || info.Code(0) is not { Operation: UnwindOperation.Epilog } first)
        {
            return false;
        }

        uint size = first.PrologOffset;
        if ((first.Info & LastEpilogIsAtEnd) != 0 && IsWithin(rva, range.End, size, size, out done))
        {
            return true;
        }

        for (int i = 1; i < info.CodeCount && info.Code(i) is { Operation: UnwindOperation.Epilog } code; i++)
        {
            // 0 pads the list to pairs, and no address of the function lies there.
            uint fromEnd = (uint)(code.PrologOffset | (code.Info << 8));
            if (IsWithin(rva, range.End, fromEnd, size, out done))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>The first code that pushes a register or a machine frame; the number of codes where none does.</summary>
    public static bool TryFindFirstPush(UnwindInfo info, out int index)
    {
        for (index = 0; index < info.CodeCount; index += Math.Max(info.Code(index).Slots, 1))
        {
            if (info.Code(index).Operation is UnwindOperation.Push or UnwindOperation.MachineFrame)
            {
                return true;
            }
        }

        index = info.CodeCount;
        return false;
    }

    /// <summary>Does the pops of an epilog that lie at or behind the address, by the pushes that they mirror.</summary>
    public static UnwindStatus Pop(
        TargetMemory memory, UnwindInfo info, int firstPush, uint done, ref X64Registers registers, out bool isMachineFrame)
    {
        isMachineFrame = false;
        uint offset = 0;
        int i = firstPush;
        for (; i < info.CodeCount && info.Code(i) is { Operation: UnwindOperation.Push } push; i++)
        {
            if (offset >= done)
            {
                if (!memory.TryReadUInt64(registers.Rsp, out ulong value))
                {
                    return UnwindStatus.NoStack;
                }

                registers.Set(push.Info, value);
                registers.Rsp = unchecked(registers.Rsp + sizeof(ulong));
            }

            offset += push.Info >= 8 ? 2u : 1u; // pop r8 to r15 take a prefix
        }

        // pushfq is undone by a pop of one byte.
        if (i < info.CodeCount && info.Code(i) is { Operation: UnwindOperation.AllocateSmall, Info: 0 })
        {
            registers.Rsp = offset >= done ? unchecked(registers.Rsp + sizeof(ulong)) : registers.Rsp;
            i++;
        }

        isMachineFrame = i < info.CodeCount && info.Code(i).Operation == UnwindOperation.MachineFrame;
        return isMachineFrame ? X64PrologUndo.PopMachineFrame(memory, hasErrorCode: false, ref registers) : UnwindStatus.Done;
    }

    private static bool IsWithin(uint rva, uint end, uint fromEnd, uint size, out uint done)
    {
        done = unchecked(rva - (end - fromEnd));
        return done < size;
    }
}
