using System.Runtime.InteropServices;

namespace HangTriage.Capture.Live;

/// <summary>Memory of a process that was copied, found by the address that it had there.</summary>
internal sealed unsafe class CopyBuffer : IDisposable
{
    private readonly byte* _buffer;
    private readonly ulong _size;
    private readonly List<Piece> _pieces = [];
    private ulong _used;

    /// <param name="size">As many bytes as it can hold. All are touched here, so that no copy has to wait for memory.</param>
    public CopyBuffer(ulong size)
    {
        _size = Math.Max(size, LivePages.PageSize);
        _buffer = (byte*)NativeMemory.Alloc((nuint)_size);
        for (ulong at = 0; at < _size; at += LivePages.PageSize)
        {
            _buffer[at] = 0;
        }
    }

    /// <summary>Bytes that it has.</summary>
    public ulong Used => _used;

    /// <summary>Bytes that it can still take.</summary>
    public ulong Room => _size - _used;

    /// <summary>Where the next bytes go.</summary>
    public byte* Next => _buffer + _used;

    /// <summary>So many bytes at <see cref="Next"/> are those from an address of the process on.</summary>
    public void Add(ulong address, ulong length)
    {
        if (length == 0)
        {
            return;
        }

        if (_pieces.Count > 0 && _pieces[^1] is var last && last.Start + last.Length == address && last.Offset + last.Length == _used)
        {
            _pieces[^1] = last with { Length = last.Length + length };
        }
        else
        {
            _pieces.Add(new Piece(address, length, _used));
        }

        _used += length;
    }

    /// <summary>Nothing more is added; from now on it can be read.</summary>
    public void Close() => _pieces.Sort((one, other) => one.Start.CompareTo(other.Start));

    /// <returns>Bytes that it has from the address on; 0 where it has none.</returns>
    public int Read(ulong address, Span<byte> buffer)
    {
        int low = 0;
        int high = _pieces.Count - 1;
        while (low <= high)
        {
            int middle = (low + high) >> 1;
            Piece piece = _pieces[middle];
            if (address < piece.Start)
            {
                high = middle - 1;
            }
            else if (address - piece.Start >= piece.Length)
            {
                low = middle + 1;
            }
            else
            {
                ulong offset = address - piece.Start;
                int there = (int)Math.Min((ulong)buffer.Length, piece.Length - offset);
                new ReadOnlySpan<byte>(_buffer + piece.Offset + offset, there).CopyTo(buffer);
                return there;
            }
        }

        return 0;
    }

    public void Dispose() => NativeMemory.Free(_buffer);

    private readonly record struct Piece(ulong Start, ulong Length, ulong Offset);
}
