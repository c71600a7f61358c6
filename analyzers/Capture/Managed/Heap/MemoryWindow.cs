using HangTriage.Capture.Managed.Reading;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>Memory of the target, read ahead in large pieces: what is read in the order of addresses costs one read a piece.</summary>
/// <param name="reader">The target.</param>
/// <param name="size">Bytes of a piece; no more than this can be asked for at once.</param>
internal sealed class MemoryWindow(IMemoryReader reader, int size)
{
    private readonly byte[] _buffer = new byte[size];
    private ulong _start;
    private int _length;

    public int Size => _buffer.Length;

    /// <summary>All of the window from the address on: at least <paramref name="wanted"/> bytes, fewer where the target has no more.</summary>
    /// <param name="address">Where.</param>
    /// <param name="wanted">Bytes, up to <see cref="Size"/>.</param>
    /// <param name="end">Nothing is read from here on.</param>
    public ReadOnlySpan<byte> At(ulong address, int wanted, ulong end = ulong.MaxValue)
    {
        ulong offset = address - _start;
        if (address < _start || offset + (uint)wanted > (uint)_length)
        {
            _start = address;
            _length = reader.Read(address, _buffer.AsSpan(0, (int)Math.Min((ulong)_buffer.Length, end - address)));
            offset = 0;
            if (_length > 0 && (ulong)_length < Math.Min((ulong)wanted, end - address))
            {
                (reader as IWatchedReader)?.NoteMissing(address + (uint)_length);
            }
        }

        return _buffer.AsSpan((int)offset, _length - (int)offset);
    }
}
