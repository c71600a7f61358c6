using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Linux;

/// <summary>A process of 64 bits of which one piece of memory is there.</summary>
internal sealed class MemoryPiece(ulong start, byte[] content) : IMemoryReader
{
    public int PointerSize => sizeof(ulong);

    public int Read(ulong address, Span<byte> buffer)
    {
        if (address < start || address >= start + (uint)content.Length)
        {
            return 0;
        }

        ReadOnlySpan<byte> rest = content.AsSpan((int)(address - start));
        int read = Math.Min(rest.Length, buffer.Length);
        rest[..read].CopyTo(buffer);
        return read;
    }

    public bool Read<T>(ulong address, out T value)
        where T : unmanaged
    {
        value = default;
        return Read(address, MemoryMarshal.AsBytes(new Span<T>(ref value))) == Marshal.SizeOf<T>();
    }

    public T Read<T>(ulong address)
        where T : unmanaged
        => Read(address, out T value) ? value : default;

    public bool ReadPointer(ulong address, out ulong value) => Read(address, out value);

    public ulong ReadPointer(ulong address) => Read<ulong>(address);
}
