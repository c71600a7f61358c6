namespace HangTriage.Tests.Support.Synthetic;

/// <summary>A thread's stack as its frames leave it: the bytes, the CONTEXT record, and what an unwinder must find.</summary>
public sealed class StackLayout
{
    private StackLayout(SyntheticMemory stack, byte[] context, IReadOnlyList<ExpectedFrame> frames)
        => (Stack, Context, Frames) = (stack, context, frames);

    public SyntheticMemory Stack { get; }

    public byte[] Context { get; }

    /// <summary>The innermost first.</summary>
    public IReadOnlyList<ExpectedFrame> Frames { get; }

    /// <param name="frames">The innermost first.</param>
    /// <param name="stackBase">The end of the stack.</param>
    /// <param name="size">How much of it there is to use.</param>
    public static StackLayout Lay(IReadOnlyList<SyntheticFrame> frames, ulong stackBase, int size)
    {
        StackMachine machine = new(stackBase, size);
        List<ExpectedFrame> expected = [];
        for (int index = frames.Count - 1; index >= 0; index--)
        {
            SyntheticFrame frame = frames[index];
            Enter(machine, frame, index == frames.Count - 1 ? null : frames[index + 1]);
            RunTo(machine, frame, index, isInterrupted: index == 0 || Interrupt(frames[index - 1].Function) is not null);
            expected.Insert(0, new ExpectedFrame(frame.Ip, machine.Rsp, frame.Function, [.. machine.Registers], [.. machine.Xmm]));
        }

        ulong rip = frames.Count > 0 ? frames[0].Ip : 0;
        return new StackLayout(machine.Used(), ContextAmd64.Create(machine.Registers, rip, machine.Xmm), expected);
    }

    // The thread's first function has nobody to return to.
    private static void Enter(StackMachine machine, SyntheticFrame frame, SyntheticFrame? caller)
    {
        if (Interrupt(frame.Function) is PrologOperation interrupt)
        {
            machine.Interrupt(caller?.Ip ?? 0, errorCode: interrupt.Value != 0);
            return;
        }

        if (caller?.Function is { Prolog: null })
        {
            throw new InvalidOperationException($"{caller.Function} is a leaf: it cannot have called {frame.Function}.");
        }

        caller?.Function.PutCall(caller.Offset, frame.Function.Address);
        machine.Push(caller?.Ip ?? 0);
    }

    // Below a machine frame a thread may be anywhere in a function, as the innermost frame may.
    private static PrologOperation? Interrupt(SyntheticFunction function)
        => function.AllOperations.FirstOrDefault(step => step.Kind == PrologOperationKind.MachineFrame);

    private static void RunTo(StackMachine machine, SyntheticFrame frame, int index, bool isInterrupted)
    {
        SyntheticFunction function = frame.Function;
        SyntheticProlog? framed = null;
        foreach (PrologOperation step in function.AllOperations)
        {
            bool isOwn = function.Prolog?.Operations.Any(own => ReferenceEquals(own, step)) == true;
            if (isInterrupted && isOwn && step.EndOffset > frame.Offset)
            {
                return;
            }

            machine.Run(step, framed);
            framed = step.Kind == PrologOperationKind.SetFrame ? function.FrameProlog : framed;
        }

        RunBody(machine, frame, index);
        if (isInterrupted)
        {
            RunEpilog(machine, frame);
        }
    }

    // Each register that the prolog saved gets a value of its own, so that a wrong restore shows.
    private static void RunBody(StackMachine machine, SyntheticFrame frame, int index)
    {
        foreach (PrologOperation step in frame.Function.AllOperations)
        {
            int register = (int)step.Register;
            ulong mark = 0x0000_5EED_0000_0000 + ((ulong)index << 8) + (ulong)register;
            if (step.SavesXmm)
            {
                machine.Xmm[register] = new UInt128(~mark, mark);
            }
            else if ((step.SavesGeneral || step.Kind == PrologOperationKind.Push) && step.Register != frame.Function.FrameProlog?.FrameRegister)
            {
                machine.Registers[register] = mark;
            }
        }

        machine.Rsp -= frame.Dynamic;
        foreach ((Register register, ulong value) in frame.Registers)
        {
            machine.Registers[(int)register] = value;
        }

        foreach ((int offset, ulong value) in frame.Locals)
        {
            machine.Write(machine.Rsp + (ulong)offset, value);
        }
    }

    private static void RunEpilog(StackMachine machine, SyntheticFrame frame)
    {
        SyntheticFunction function = frame.Function;
        if (function.Epilog is not Epilog epilog || function.Prolog is not SyntheticProlog prolog)
        {
            return;
        }

        int start = prolog.FurtherEpilogs.Append(function.EpilogOffset).FirstOrDefault(at => frame.Offset >= at && frame.Offset < at + epilog.Code.Length, -1);
        int end = start;
        foreach (EpilogStep step in epilog.Steps)
        {
            end += step.Code.Length;
            if (start < 0 || end > frame.Offset)
            {
                return;
            }

            machine.Undo(step, prolog);
        }
    }
}
