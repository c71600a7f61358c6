namespace HangTriage.Tests.Support.Synthetic;

/// <summary>Registers and stack of a thread, and the effect of calls, prologs and epilogs on them.</summary>
internal sealed class StackMachine
{
    private readonly SyntheticMemory _stack;

    public StackMachine(ulong stackBase, int size)
    {
        _stack = new SyntheticMemory(stackBase - (ulong)size, size);
        Rsp = stackBase - 0x30;
    }

    public ulong[] Registers { get; } = new ulong[16];

    public UInt128[] Xmm { get; } = new UInt128[16];

    public ulong Rsp
    {
        get => Registers[(int)Register.Rsp];
        set => Registers[(int)Register.Rsp] = value;
    }

    public void Push(ulong value)
    {
        Rsp -= 8;
        Write(Rsp, value);
    }

    public void Write(ulong address, ulong value) => _stack.U64(_stack.OffsetOf(address), value);

    /// <summary>What the processor pushes when it interrupts a thread at <paramref name="rip"/>.</summary>
    public void Interrupt(ulong rip, bool errorCode)
    {
        ulong rsp = Rsp;
        Rsp &= ~0xFUL;
        Push(0x2B);
        Push(rsp);
        Push(0x246);
        Push(0x33);
        Push(rip);
        if (errorCode)
        {
            Push(0);
        }
    }

    /// <param name="step">A step of the prolog.</param>
    /// <param name="frame">The prolog that has set a frame register before; null if none has.</param>
    public void Run(PrologOperation step, SyntheticProlog? frame)
    {
        ulong at = FrameBase(frame) + step.Value;
        if (step.Kind == PrologOperationKind.Push)
        {
            Push(Registers[(int)step.Register]);
        }
        else if (step.Allocates)
        {
            Rsp -= step.Value;
        }
        else if (step.Kind == PrologOperationKind.SetFrame)
        {
            Registers[(int)step.Register] = Rsp + step.Value;
        }
        else if (step.SavesGeneral)
        {
            Write(at, Registers[(int)step.Register]);
        }
        else if (step.SavesXmm)
        {
            Write(at, (ulong)Xmm[(int)step.Register]);
            Write(at + 8, (ulong)(Xmm[(int)step.Register] >> 64));
        }
    }

    /// <summary>Runs an instruction of an epilog.</summary>
    public void Undo(EpilogStep step, SyntheticProlog prolog)
    {
        if (step.Undoes is not PrologOperation undone || step.Code.Length == 0)
        {
            return;
        }

        ulong at = FrameBase(prolog.FrameRegister is null ? null : prolog) + undone.Value;
        if (undone.Kind == PrologOperationKind.Push)
        {
            Registers[(int)undone.Register] = _stack.ReadU64(Rsp);
            Rsp += 8;
        }
        else if (undone.SavesGeneral)
        {
            Registers[(int)undone.Register] = _stack.ReadU64(at);
        }
        else if (undone.SavesXmm)
        {
            Xmm[(int)undone.Register] = new UInt128(_stack.ReadU64(at + 8), _stack.ReadU64(at));
        }
        else if (prolog.FrameRegister is null)
        {
            Rsp += undone.Value;
        }
        else
        {
            // One lea frees everything that was allocated before the frame register was set, and what came after.
            long allocated = prolog.Operations.TakeWhile(other => other.Kind != PrologOperationKind.SetFrame).Where(other => other.Allocates).Sum(other => other.Value);
            Rsp = FrameBase(prolog) + (ulong)allocated;
        }
    }

    /// <summary>The used part of the stack, from the page of the lowest word.</summary>
    public SyntheticMemory Used()
    {
        ulong start = Rsp & ~0xFFFUL;
        int offset = _stack.OffsetOf(start);
        return new SyntheticMemory(start, _stack.Bytes[offset..]);
    }

    private ulong FrameBase(SyntheticProlog? frame)
        => frame?.FrameRegister is Register register ? Registers[(int)register] - frame.FrameOffset : Rsp;
}
