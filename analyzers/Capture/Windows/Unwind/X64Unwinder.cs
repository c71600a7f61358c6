using HangTriage.Capture.Windows.Images;

namespace HangTriage.Capture.Windows.Unwind;

/// <summary>
/// Finds a frame's caller by the unwind data of its image, as RtlVirtualUnwind does it ("x64 exception handling" in
/// the vendor's ABI pages): undoes what of the prolog was done, or does what of the epilog is left.
/// </summary>
internal sealed class X64Unwinder
{
    private readonly TargetMemory _memory;
    private readonly ImageMap _images;
    private readonly int _chainLimit;

    public X64Unwinder(TargetMemory memory, ImageMap images, CaptureLimits limits)
    {
        _memory = memory;
        _images = images;
        _chainLimit = limits.UnwindChain;
    }

    /// <summary>Replaces the registers of a frame by those of its caller; where that fails they are not to be used.</summary>
    /// <param name="registers">The frame's, then its caller's.</param>
    /// <param name="isReturnAddress">
    /// The instruction pointer is where a call returns to. The call is what lies before it: a function can end with a
    /// call, and then its return address is the begin of the next one. Set for the caller by the same meaning.
    /// </param>
    public UnwindStatus Step(ref X64Registers registers, ref bool isReturnAddress)
    {
        ulong lookup = isReturnAddress ? unchecked(registers.Rip - 1) : registers.Rip;
        if (_images.Find(lookup) is not { } image)
        {
            return UnwindStatus.OutsideImages;
        }

        FunctionLookup found = image.Functions is { } table
            ? table.Find(image.Rva(lookup), out FunctionEntry entry, out _)
            : Unreadable(out entry);
        bool wasReturnAddress = isReturnAddress;
        isReturnAddress = true;
        return found switch
        {
            FunctionLookup.Unreadable => UnwindStatus.NoUnwindData,
            FunctionLookup.None => wasReturnAddress ? UnwindStatus.LeafThatCalled : Return(ref registers),
            _ => UnwindFunction(image, entry, ref registers, wasReturnAddress, ref isReturnAddress),
        };
    }

    private static FunctionLookup Unreadable(out FunctionEntry entry)
    {
        entry = default;
        return FunctionLookup.Unreadable;
    }

    private UnwindStatus UnwindFunction(
        Image image, FunctionEntry range, ref X64Registers registers, bool wasReturnAddress, ref bool isReturnAddress)
    {
        if (!image.Functions!.TryResolve(range, out FunctionEntry entry))
        {
            return UnwindStatus.NoUnwindData;
        }

        Span<byte> buffer = stackalloc byte[UnwindInfo.MaxSize];
        UnwindStatus status = ReadInfo(image, entry, buffer, out UnwindInfo info);
        if (status != UnwindStatus.Done)
        {
            return status;
        }

        // No epilog has a call in it, so a frame that called is not in one.
        if (!wasReturnAddress)
        {
            if (info.Version == 1)
            {
                X64EpilogCode epilog = new(_memory, image, range, info.IsChained, info.FrameRegister);
                if (epilog.Matches(registers.Rip))
                {
                    status = epilog.Run(ref registers);
                    return status == UnwindStatus.Done ? Return(ref registers) : status;
                }
            }
            else if (X64EpilogList.TryFind(info, range, image.Rva(registers.Rip), out uint done))
            {
                return UnwindListedEpilog(image, entry, ref registers, done, ref isReturnAddress);
            }
        }

        return UnwindProlog(image, entry, ref registers, ref isReturnAddress);
    }

    private UnwindStatus UnwindProlog(Image image, FunctionEntry entry, ref X64Registers registers, ref bool isReturnAddress)
    {
        Span<byte> buffer = stackalloc byte[UnwindInfo.MaxSize];
        // Wraps where the address lies below: then it is in another part of the function, with all of the prolog done.
        uint done = unchecked(image.Rva(registers.Rip) - entry.Begin);
        for (int i = 0; i <= _chainLimit; i++)
        {
            UnwindStatus status = ReadInfo(image, entry, buffer, out UnwindInfo info);
            if (status != UnwindStatus.Done)
            {
                return status;
            }

            X64PrologUndo undo = new(_memory, info, done);
            status = undo.Run(ref registers, out bool isMachineFrame);
            if (status != UnwindStatus.Done)
            {
                return status;
            }

            if (isMachineFrame)
            {
                isReturnAddress = false;
                return UnwindStatus.Done;
            }

            if (!info.IsChained)
            {
                return Return(ref registers);
            }

            if (!image.Functions!.TryResolve(info.Chained, out entry))
            {
                return UnwindStatus.NoUnwindData;
            }

            done = uint.MaxValue;
        }

        return UnwindStatus.BadUnwindData;
    }

    /// <summary>Does the rest of an epilog that version 2 lists: the pops that are left, by the pushes that they mirror.</summary>
    /// <param name="image">The function's image.</param>
    /// <param name="entry">The function's entry.</param>
    /// <param name="registers">The frame's, then its caller's.</param>
    /// <param name="done">The bytes of the epilog that were executed.</param>
    /// <param name="isReturnAddress">Cleared for a machine frame.</param>
    private UnwindStatus UnwindListedEpilog(
        Image image, FunctionEntry entry, ref X64Registers registers, uint done, ref bool isReturnAddress)
    {
        Span<byte> buffer = stackalloc byte[UnwindInfo.MaxSize];
        for (int i = 0; i <= _chainLimit; i++)
        {
            UnwindStatus status = ReadInfo(image, entry, buffer, out UnwindInfo info);
            if (status != UnwindStatus.Done)
            {
                return status;
            }

            if (X64EpilogList.TryFindFirstPush(info, out int firstPush) || !info.IsChained)
            {
                status = X64EpilogList.Pop(_memory, info, firstPush, done, ref registers, out bool isMachineFrame);
                isReturnAddress = !isMachineFrame;
                return status != UnwindStatus.Done || isMachineFrame ? status : Return(ref registers);
            }

            if (!image.Functions!.TryResolve(info.Chained, out entry))
            {
                return UnwindStatus.NoUnwindData;
            }
        }

        return UnwindStatus.BadUnwindData;
    }

    private UnwindStatus ReadInfo(Image image, FunctionEntry entry, Span<byte> buffer, out UnwindInfo info)
        => UnwindInfo.TryRead(_memory, image.Base + entry.UnwindInfo, buffer, out info) switch
        {
            UnwindInfoRead.Done => UnwindStatus.Done,
            UnwindInfoRead.Missing => UnwindStatus.NoUnwindData,
            _ => UnwindStatus.BadUnwindData,
        };

    private UnwindStatus Return(ref X64Registers registers)
    {
        if (!_memory.TryReadUInt64(registers.Rsp, out ulong rip))
        {
            return UnwindStatus.NoStack;
        }

        registers.Rip = rip;
        registers.Rsp = unchecked(registers.Rsp + sizeof(ulong));
        return UnwindStatus.Done;
    }
}
