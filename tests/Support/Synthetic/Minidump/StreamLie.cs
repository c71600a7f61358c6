namespace HangTriage.Tests.Support.Synthetic;

/// <summary>What a stream is made to say that is not so.</summary>
public sealed class StreamLie
{
    private readonly List<(int Offset, byte[] Bytes)> _patches = [];

    internal ulong? ClaimedCount { get; private set; }

    internal uint? ClaimedSize { get; private set; }

    internal uint? ClaimedRva { get; private set; }

    internal uint? ClaimedType { get; private set; }

    internal MinidumpStream? Overlapped { get; private set; }

    internal IReadOnlyList<(int Offset, byte[] Bytes)> Patches => _patches;

    /// <summary>The number of entries in the stream's own header.</summary>
    public StreamLie Count(ulong count)
    {
        ClaimedCount = count;
        return this;
    }

    /// <summary>The size in the directory.</summary>
    public StreamLie Size(uint size)
    {
        ClaimedSize = size;
        return this;
    }

    /// <summary>The position in the directory.</summary>
    public StreamLie Rva(uint rva)
    {
        ClaimedRva = rva;
        return this;
    }

    /// <summary>The type in the directory.</summary>
    public StreamLie Type(uint type)
    {
        ClaimedType = type;
        return this;
    }

    /// <summary>Lies where another stream lies.</summary>
    public StreamLie Over(MinidumpStream other)
    {
        Overlapped = other;
        return this;
    }

    /// <summary>Overwrites bytes of the stream.</summary>
    public StreamLie Patch(int offset, params byte[] bytes)
    {
        _patches.Add((offset, bytes));
        return this;
    }
}
