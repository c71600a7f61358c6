using HangTriage.Capture.Windows.Images;

namespace HangTriage.Capture.Windows.Unwind;

/// <summary>Undoes the part of a prolog that was executed, code by code, last instruction first.</summary>
internal readonly ref struct X64PrologUndo
{
    private readonly TargetMemory _memory;
    private readonly UnwindInfo _info;
    private readonly uint _done;

    /// <param name="memory">The target's memory.</param>
    /// <param name="info">The function's unwind data.</param>
    /// <param name="done">The bytes of the function before the instruction pointer; anything beyond the prolog means all of it.</param>
    public X64PrologUndo(TargetMemory memory, UnwindInfo info, uint done)
    {
        _memory = memory;
        _info = info;
        _done = done;
    }

    /// <summary>Leaves the stack pointer at the return address, or, behind a machine frame, all as it was at the interruption.</summary>
    public UnwindStatus Run(ref X64Registers registers, out bool isMachineFrame)
    {
        isMachineFrame = false;
        if (!TryGetFrameBase(registers, out ulong frameBase))
        {
            return UnwindStatus.NoFrameRegister;
        }

        for (int i = 0; i < _info.CodeCount;)
        {
            UnwindCode code = _info.Code(i);
            int slots = code.Slots;
            if (slots == 0 || i + slots > _info.CodeCount)
            {
                return UnwindStatus.BadUnwindData;
            }

            if (_done >= code.PrologOffset)
            {
                UnwindStatus status = Undo(code, i, frameBase, ref registers);
                if (status != UnwindStatus.Done)
                {
                    return status;
                }

                isMachineFrame |= code.Operation == UnwindOperation.MachineFrame;
            }

            i += slots;
        }

        return UnwindStatus.Done;
    }

    /// <summary>Takes what the processor pushed at an interruption: error code (some), rip, cs, flags, rsp, ss.</summary>
    public static UnwindStatus PopMachineFrame(TargetMemory memory, bool hasErrorCode, ref X64Registers registers)
    {
        ulong frame = unchecked(registers.Rsp + (hasErrorCode ? sizeof(ulong) : 0UL));
        if (!memory.TryReadUInt64(frame, out ulong rip) || !memory.TryReadUInt64(unchecked(frame + 24), out ulong rsp))
        {
            return UnwindStatus.NoStack;
        }

        registers.Rip = rip;
        registers.Rsp = rsp;
        return UnwindStatus.Done;
    }

    private UnwindStatus Undo(UnwindCode code, int index, ulong frameBase, ref X64Registers registers)
    {
        switch (code.Operation)
        {
            case UnwindOperation.Push:
                return Pop(code.Info, ref registers);
            case UnwindOperation.AllocateLarge:
                registers.Rsp = unchecked(registers.Rsp + (code.Info == 0 ? _info.Operand(index + 1) * sizeof(ulong) : FarOperand(index)));
                return UnwindStatus.Done;
            case UnwindOperation.AllocateSmall:
                registers.Rsp = unchecked(registers.Rsp + ((ulong)code.Info * sizeof(ulong)) + sizeof(ulong));
                return UnwindStatus.Done;
            case UnwindOperation.SetFrame:
                if (!registers.TryGet(_info.FrameRegister, out ulong frame))
                {
                    return UnwindStatus.NoFrameRegister;
                }

                registers.Rsp = unchecked(frame - _info.FrameOffset);
                return UnwindStatus.Done;
            case UnwindOperation.SaveNonvolatile:
                return Load(code.Info, unchecked(frameBase + (_info.Operand(index + 1) * sizeof(ulong))), ref registers);
            case UnwindOperation.SaveNonvolatileFar:
                return Load(code.Info, unchecked(frameBase + FarOperand(index)), ref registers);
            case UnwindOperation.MachineFrame:
                return PopMachineFrame(_memory, code.Info != 0, ref registers);
            default:
                return UnwindStatus.Done; // vector registers and the places of epilogs do not lead to the caller
        }
    }

    /// <summary>
    /// Where saved registers are counted from: the stack pointer at the end of the prolog. With a frame register that
    /// is set already, the stack pointer may have moved since and the register says.
    /// </summary>
    private bool TryGetFrameBase(in X64Registers registers, out ulong frameBase)
    {
        frameBase = registers.Rsp;
        if (_info.FrameRegister == 0 || !IsFrameSet())
        {
            return true;
        }

        bool isKnown = registers.TryGet(_info.FrameRegister, out ulong frame);
        frameBase = unchecked(frame - _info.FrameOffset);
        return isKnown;
    }

    private bool IsFrameSet()
    {
        if (_done >= _info.PrologSize || _info.IsChained)
        {
            return true;
        }

        for (int i = 0; i < _info.CodeCount;)
        {
            UnwindCode code = _info.Code(i);
            if (code.Operation == UnwindOperation.SetFrame)
            {
                return _done >= code.PrologOffset;
            }

            i += Math.Max(code.Slots, 1);
        }

        return false;
    }

    private UnwindStatus Pop(int register, ref X64Registers registers)
    {
        ulong address = registers.Rsp;
        registers.Rsp = unchecked(address + sizeof(ulong));
        return Load(register, address, ref registers);
    }

    private UnwindStatus Load(int register, ulong address, ref X64Registers registers)
    {
        if (!_memory.TryReadUInt64(address, out ulong value))
        {
            return UnwindStatus.NoStack;
        }

        registers.Set(register, value);
        return UnwindStatus.Done;
    }

    private uint FarOperand(int index) => _info.Operand(index + 1) | (_info.Operand(index + 2) << 16);
}
