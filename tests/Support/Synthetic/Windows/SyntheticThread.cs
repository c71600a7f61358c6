namespace HangTriage.Tests.Support.Synthetic;

/// <summary>A thread of a <see cref="SyntheticProcess"/>, declared from its innermost frame outwards.</summary>
public sealed class SyntheticThread
{
    private readonly List<SyntheticFrame> _frames = [];
    private readonly ulong _stackBase;
    private int _stackSize = 0x10000;
    private string? _name;
    private SyntheticThreadTimes? _times;
    private uint _suspendCount;

    internal SyntheticThread(uint id, SyntheticTeb teb, ulong stackBase) => (Id, Teb, _stackBase) = (id, teb, stackBase);

    public uint Id { get; }

    public SyntheticTeb Teb { get; }

    /// <summary>The frames that a right unwinder finds, the innermost first.</summary>
    public IReadOnlyList<ExpectedFrame> ExpectedFrames => Lay().Frames;

    public SyntheticThread Named(string name)
    {
        _name = name;
        return this;
    }

    public SyntheticThread Times(SyntheticThreadTimes? times)
    {
        _times = times;
        return this;
    }

    public SyntheticThread SuspendCount(uint count)
    {
        _suspendCount = count;
        return this;
    }

    /// <summary>How much stack there is room for, up to the next thread's; the dump holds what is used.</summary>
    public SyntheticThread StackSize(int size)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((ulong)size, SyntheticProcess.StackStride);
        _stackSize = size;
        return this;
    }

    /// <summary>The innermost frame. The offset may lie in the prolog or in an epilog.</summary>
    public SyntheticThread InFunction(SyntheticImage image, string function, int? offset = null, Action<SyntheticFrame>? frame = null)
        => _frames.Count == 0
            ? Add(image[function], offset, frame)
            : throw new InvalidOperationException("A thread is in one function; its callers come with CalledFrom.");

    /// <summary>The caller of the frame before; the offset is where the call returns to, or where the thread was interrupted.</summary>
    public SyntheticThread CalledFrom(SyntheticImage image, string function, int? offset = null, Action<SyntheticFrame>? frame = null)
        => Add(image[function], offset, frame);

    /// <summary>Lays out the stack, and puts the calls into the code of the callers.</summary>
    public StackLayout Lay() => StackLayout.Lay(_frames, _stackBase, _stackSize);

    internal SyntheticThreadRecord ToRecord(StackLayout layout, bool withStack)
    {
        Teb.Stack(_stackBase, layout.Stack.Address, _stackBase - (ulong)Math.Max(_stackSize, 0x100000));
        return new SyntheticThreadRecord
        {
            Id = Id,
            SuspendCount = _suspendCount,
            Teb = Teb.Address,
            Context = layout.Context,
            Stack = withStack ? layout.Stack : null,
            Name = _name,
            Times = _times,
        };
    }

    private SyntheticThread Add(SyntheticFunction function, int? offset, Action<SyntheticFrame>? declare)
    {
        SyntheticFrame frame = new(function, offset ?? function.DefaultOffset);
        declare?.Invoke(frame);
        _frames.Add(frame);
        return this;
    }
}
