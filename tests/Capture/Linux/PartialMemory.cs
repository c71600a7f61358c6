using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Linux;

/// <summary>A process of 64 bits of which some memory is there.</summary>
internal abstract class PartialMemory : IMemoryReader
{
    public int PointerSize => sizeof(ulong);

    public abstract int Read(ulong address, Span<byte> buffer);

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
