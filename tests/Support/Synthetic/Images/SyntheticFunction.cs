namespace HangTriage.Tests.Support.Synthetic;

/// <summary>A function of a <see cref="SyntheticImage"/>: where it lies, what its frame is, and its code.</summary>
public sealed class SyntheticFunction
{
    private readonly byte[] _code;

    private SyntheticFunction(SyntheticImage image, string name, uint rva, int size)
    {
        (Image, Name, Rva, Size) = (image, name, rva, size);
        _code = new byte[size];
        _code.AsSpan().Fill(0x90);
    }

    public SyntheticImage Image { get; }

    public string Name { get; }

    public uint Rva { get; }

    public int Size { get; }

    public ulong Address => Image.Base + Rva;

    public bool IsExported { get; internal set; }

    /// <summary>Null for a leaf function, which has no unwind data.</summary>
    public SyntheticProlog? Prolog { get; private init; }

    /// <summary>The function whose frame this part extends; null for one that stands alone.</summary>
    public SyntheticFunction? Parent { get; private init; }

    /// <summary>Where a call lies, or where the thread is, unless a frame says otherwise: an offset after the prolog.</summary>
    public int DefaultOffset { get; private init; }

    /// <summary>Offset of the epilog at the end; beyond it where there is none.</summary>
    public int EpilogOffset { get; private init; }

    /// <summary>What the prologs, this one's and its parents', allocate and push, without the return address.</summary>
    public uint FrameSize
        => AllOperations.Aggregate(0u, (size, step) => size + (step.Allocates ? step.Value : step.Kind == PrologOperationKind.Push ? 8u : 0u));

    /// <summary>The steps of the parents' prologs, then of this one's.</summary>
    public IEnumerable<PrologOperation> AllOperations
        => [.. Parent?.AllOperations ?? [], .. Prolog?.Operations ?? []];

    /// <summary>The frame register of this part or of the one that it extends.</summary>
    public SyntheticProlog? FrameProlog => Prolog?.FrameRegister is not null ? Prolog : Parent?.FrameProlog;

    internal Epilog? Epilog { get; private init; }

    internal ReadOnlySpan<byte> Code => _code;

    internal static SyntheticFunction Leaf(SyntheticImage image, string name, uint rva, byte[] code, int offset)
    {
        SyntheticFunction function = new(image, name, rva, code.Length) { DefaultOffset = offset, EpilogOffset = code.Length };
        return function.Put(0, code);
    }

    internal static SyntheticFunction WithFrame(SyntheticImage image, string name, uint rva, int size, SyntheticProlog prolog, SyntheticFunction? parent)
    {
        bool returns = parent is null && !prolog.NeverReturns && prolog.Operations.All(step => step.Kind != PrologOperationKind.MachineFrame);
        Epilog? epilog = returns ? Epilog.Of(prolog) : null;
        int end = size - (epilog?.Code.Length ?? 5);
        if (prolog.Length + 8 > end || prolog.Length > byte.MaxValue)
        {
            throw new ArgumentOutOfRangeException(nameof(size), $"{name}: {size} bytes do not hold its prolog, a call and its epilog.");
        }

        if (parent is not null && parent.AllOperations.Any(step => step.SavesGeneral || step.SavesXmm) && prolog.Operations.Any(step => step.Kind <= PrologOperationKind.AllocateHuge))
        {
            throw new ArgumentException($"{name} moves rsp, from which the saves of its parent are counted.", nameof(prolog));
        }

        SyntheticFunction function = new(image, name, rva, size)
        {
            Prolog = prolog,
            Parent = parent,
            Epilog = epilog,
            DefaultOffset = prolog.Length + 8,
            EpilogOffset = epilog is null ? size : end,
        };
        function.Put(0, prolog.Code);
        foreach (int offset in returns ? [end, .. prolog.FurtherEpilogs] : prolog.FurtherEpilogs)
        {
            function.Put(offset, epilog!.Code);
        }

        return parent is null ? function : function.Put(end, Instructions.Jump(function.Address + (ulong)size, parent.Address + (ulong)parent.DefaultOffset));
    }

    /// <summary>Puts code of one's own into the body, such as a loop.</summary>
    public SyntheticFunction Put(int offset, params byte[] code)
    {
        code.CopyTo(_code.AsSpan(offset));
        return this;
    }

    /// <summary>Puts a call that returns to <paramref name="offset"/>, if there is room after the prolog.</summary>
    public SyntheticFunction PutCall(int offset, ulong target)
    {
        byte[] call = Instructions.Call(Address + (ulong)offset, target);
        int start = offset - call.Length;
        return start >= (Prolog?.Length ?? 0) && offset <= EpilogOffset ? Put(start, call) : this;
    }

    public override string ToString() => $"{Image.Name}!{Name}";
}
