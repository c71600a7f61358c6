using System.Buffers.Binary;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Emulation;

/// <summary>The target's memory, with what emulated instructions have written over it; the target itself stays as it is.</summary>
internal sealed class EmulatedMemory(IMemoryReader reader)
{
    private const int PageBytes = 4096;
    private const int MostPages = 4096;

    private readonly Dictionary<ulong, byte[]?> _pages = [];

    /// <summary>False where not all of it is in the target, or too much was asked for.</summary>
    public bool TryRead(ulong address, Span<byte> bytes)
    {
        while (PartAt(address, bytes.Length) is { IsEmpty: false } part)
        {
            part.CopyTo(bytes);
            bytes = bytes[part.Length..];
            address = unchecked(address + (ulong)part.Length);
        }

        return bytes.IsEmpty;
    }

    /// <summary>False where not all of the place is in the target.</summary>
    public bool TryWrite(ulong address, ReadOnlySpan<byte> bytes)
    {
        while (PartAt(address, bytes.Length) is { IsEmpty: false } part)
        {
            bytes[..part.Length].CopyTo(part);
            bytes = bytes[part.Length..];
            address = unchecked(address + (ulong)part.Length);
        }

        return bytes.IsEmpty;
    }

    /// <summary>A number of up to eight bytes; null where it cannot be read.</summary>
    public ulong? Number(ulong address, int size)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        bytes.Clear();
        return TryRead(address, bytes[..size]) ? BinaryPrimitives.ReadUInt64LittleEndian(bytes) : null;
    }

    // As much as one page has of it; nothing where that page is not in the target.
    private Span<byte> PartAt(ulong address, int length)
    {
        int offset = (int)(address % PageBytes);
        return length > 0 && PageAt(address) is { } page ? page.AsSpan(offset, Math.Min(length, PageBytes - offset)) : [];
    }

    private byte[]? PageAt(ulong address)
    {
        ulong start = address / PageBytes * PageBytes;
        if (!_pages.TryGetValue(start, out byte[]? page) && _pages.Count < MostPages)
        {
            page = new byte[PageBytes];
            _pages[start] = page = reader.Read(start, page) == PageBytes ? page : null;
        }

        return page;
    }
}
