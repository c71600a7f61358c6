using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Code;

/// <summary>Reads a module's instructions from the target, and what the target does not have from the module's file.</summary>
/// <param name="target">The target; null where it has none of them.</param>
/// <param name="start">The address that places of the image count from.</param>
/// <param name="file">The file.</param>
internal sealed class InstructionReader(IDataReader? target, ulong start, Lazy<ImageFile?>? file)
{
    /// <returns>How many bytes were read.</returns>
    public int Read(ulong address, Span<byte> buffer)
    {
        int read = target?.Read(address, buffer) ?? 0;
        return read < buffer.Length && address >= start && file?.Value is { } image
            ? Math.Max(read, image.Read(address - start, buffer))
            : read;
    }

    public bool Read<T>(ulong address, out T value)
        where T : unmanaged
    {
        value = default;
        Span<byte> bytes = MemoryMarshal.AsBytes(new Span<T>(ref value));
        return Read(address, bytes) == Unsafe.SizeOf<T>();
    }
}
