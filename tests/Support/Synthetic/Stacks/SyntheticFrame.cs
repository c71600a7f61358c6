namespace HangTriage.Tests.Support.Synthetic;

/// <summary>One frame of a thread: where in which function, and what its body did besides the prolog.</summary>
public sealed class SyntheticFrame
{
    private readonly Dictionary<int, ulong> _locals = [];
    private readonly Dictionary<Register, ulong> _registers = [];

    internal SyntheticFrame(SyntheticFunction function, int offset) => (Function, Offset) = (function, offset);

    public SyntheticFunction Function { get; }

    public int Offset { get; private set; }

    public ulong Ip => Function.Address + (ulong)Offset;

    internal IReadOnlyDictionary<int, ulong> Locals => _locals;

    internal IReadOnlyDictionary<Register, ulong> Registers => _registers;

    internal uint Dynamic { get; private set; }

    /// <summary>Writes a local at rsp + offset.</summary>
    public SyntheticFrame Local(int offset, ulong value)
    {
        _locals[offset] = value;
        return this;
    }

    /// <summary>The body loads a register: any volatile one, or a nonvolatile one that the prolog has saved.</summary>
    public SyntheticFrame Set(Register register, ulong value)
    {
        bool isSaved = Function.AllOperations.Any(step => step.Register == register && (step.SavesGeneral || step.Kind == PrologOperationKind.Push));
        if (ExpectedFrame.NonVolatile.Contains(register) && !isSaved)
        {
            throw new ArgumentException($"{Function} does not save {register}.", nameof(register));
        }

        _registers[register] = value;
        return this;
    }

    /// <summary>The body allocates more stack, which only a frame register can undo.</summary>
    public SyntheticFrame Alloca(uint size)
    {
        Dynamic = Function.FrameProlog is null
            ? throw new InvalidOperationException($"{Function} has no frame register.")
            : size;
        return this;
    }
}
