namespace HangTriage.Tests.Support.Synthetic;

/// <summary>
/// Declares the prolog of a function, in the order in which it runs. From it come the instructions, the unwind codes,
/// the epilog and what a call of the function leaves on the stack.
/// </summary>
public sealed class SyntheticProlog
{
    private readonly List<PrologOperation> _operations = [];
    private readonly ByteWriter _code = new();

    public IReadOnlyList<PrologOperation> Operations => _operations;

    /// <summary>The register that points into the frame, once <see cref="SetFrame"/> was declared.</summary>
    public Register? FrameRegister { get; private set; }

    /// <summary>How far above rsp the frame register points.</summary>
    public uint FrameOffset { get; private set; }

    /// <summary>UNWIND_INFO of version 2, which lists the epilogs.</summary>
    public bool ListsEpilogs { get; private set; }

    /// <summary>An exception handler follows the unwind codes.</summary>
    public bool HasHandler { get; private set; }

    /// <summary>Offsets of further epilogs inside the function, besides the one at its end.</summary>
    public IReadOnlyList<int> FurtherEpilogs { get; private set; } = [];

    /// <summary>There is no epilog; the function does not return.</summary>
    public bool NeverReturns { get; private set; }

    internal int Length => _code.Length;

    internal byte[] Code => _code.ToArray();

    public SyntheticProlog Push(Register register) => Add(PrologOperationKind.Push, register, 0, Instructions.Push(register));

    /// <summary>Allocates with the shortest unwind code that can say it.</summary>
    public SyntheticProlog Alloc(uint size)
        => size <= 0x80 ? Allocate(PrologOperationKind.AllocateSmall, size)
            : size <= 0x7FFF8 ? AllocLarge(size) : AllocHuge(size);

    /// <summary>Allocates with the 16-bit form of the large code, whatever the size.</summary>
    public SyntheticProlog AllocLarge(uint size) => Allocate(PrologOperationKind.AllocateLarge, size);

    /// <summary>Allocates with the 32-bit form of the large code, whatever the size.</summary>
    public SyntheticProlog AllocHuge(uint size) => Allocate(PrologOperationKind.AllocateHuge, size);

    /// <summary>Makes a register point to rsp + offset; a multiple of 16 up to 240.</summary>
    public SyntheticProlog SetFrame(Register register, uint offset = 0)
    {
        if (offset % 16 != 0 || offset > 240 || FrameRegister is not null)
        {
            throw new ArgumentOutOfRangeException(nameof(offset), "One frame register, at a multiple of 16 up to 240.");
        }

        (FrameRegister, FrameOffset) = (register, offset);
        return Add(PrologOperationKind.SetFrame, register, offset, Instructions.AddressOf(register, Register.Rsp, (int)offset));
    }

    /// <summary>Saves a register at rsp + offset, after everything is allocated; the home space above the frame will do.</summary>
    public SyntheticProlog Save(Register register, uint offset)
        => Add(PrologOperationKind.Save, register, Scaled(offset, 8), Instructions.Store(register, FrameBase, Displacement(offset)));

    public SyntheticProlog SaveFar(Register register, uint offset)
        => Add(PrologOperationKind.SaveFar, register, offset, Instructions.Store(register, FrameBase, Displacement(offset)));

    public SyntheticProlog SaveXmm(int xmm, uint offset)
        => Add(PrologOperationKind.SaveXmm, (Register)xmm, Scaled(offset, 16), Instructions.StoreXmm(xmm, FrameBase, Displacement(offset)));

    public SyntheticProlog SaveXmmFar(int xmm, uint offset)
        => Add(PrologOperationKind.SaveXmmFar, (Register)xmm, offset, Instructions.StoreXmm(xmm, FrameBase, Displacement(offset)));

    /// <summary>
    /// The processor pushed a machine frame before the first instruction ran; it comes first. Such a function does not
    /// return: an epilog that ends in iretq is none to an unwinder of version 1.
    /// </summary>
    public SyntheticProlog MachineFrame(bool errorCode = false)
        => Add(PrologOperationKind.MachineFrame, Register.Rsp, errorCode ? 1u : 0u, []);

    public SyntheticProlog Version2(params int[] furtherEpilogs)
    {
        (ListsEpilogs, FurtherEpilogs) = (true, furtherEpilogs);
        return this;
    }

    public SyntheticProlog WithHandler()
    {
        HasHandler = true;
        return this;
    }

    public SyntheticProlog NoReturn()
    {
        NeverReturns = true;
        return this;
    }

    private Register FrameBase => FrameRegister ?? Register.Rsp;

    private int Displacement(uint offset) => (int)offset - (int)FrameOffset;

    private static uint Scaled(uint offset, uint unit)
        => offset % unit == 0 && offset / unit <= ushort.MaxValue
            ? offset
            : throw new ArgumentOutOfRangeException(nameof(offset), $"A multiple of {unit} that fits 16 bits; the far form takes others.");

    private SyntheticProlog Allocate(PrologOperationKind kind, uint size)
        => size % 8 == 0 && size > 0
            ? Add(kind, Register.Rsp, size, Instructions.Allocate(size))
            : throw new ArgumentOutOfRangeException(nameof(size), "Stack is allocated in multiples of 8.");

    private SyntheticProlog Add(PrologOperationKind kind, Register register, uint value, byte[] code)
    {
        bool moves = kind <= PrologOperationKind.AllocateHuge;
        if (moves && _operations.Exists(operation => operation.SavesGeneral || operation.SavesXmm))
        {
            throw new InvalidOperationException("Saves count from where rsp ends up: they come after pushes and allocations.");
        }

        _code.Bytes(code);
        _operations.Add(new PrologOperation(kind, register, value, _code.Length));
        return this;
    }
}
