using System.Buffers.Binary;
using HangTriage.Capture.Windows.Files;

namespace HangTriage.Capture.Windows;

/// <summary>
/// Memory of the target, and of its image files where the target has none, through a small cache of whole pages: unwinding asks for the same pages of code, function
/// tables and stacks over and over. Not safe for use by several threads at once.
/// </summary>
internal sealed class TargetMemory
{
    /// <summary>Bytes of a page: whole ones are kept.</summary>
    public const int PageSize = 4096;

    private const int Slots = 256;
    private const ulong NoPage = ulong.MaxValue;

    private readonly IWindowsProcess _process;
    private readonly ImageFiles? _files;
    private readonly byte[] _pages = new byte[Slots * PageSize];
    private readonly ulong[] _pageOfSlot = new ulong[Slots];

    public TargetMemory(IWindowsProcess process, ImageFiles? files = null)
    {
        _files = files;
        _process = process;
        Absent = process.Absence.OfMemory;
        AbsentAll = process.Absence.OfMemories;
        Array.Fill(_pageOfSlot, NoPage);
    }

    /// <summary>What to say of memory that is missing, behind its name.</summary>
    public string Absent { get; }

    /// <summary>The same behind a name in the plural.</summary>
    public string AbsentAll { get; }

    /// <summary>Copies up to the first missing byte, and says how many bytes that were.</summary>
    public int Read(ulong address, Span<byte> buffer)
    {
        int offset = (int)(address % PageSize);
        if (buffer.Length > PageSize - offset)
        {
            return ReadUncached(address, buffer);
        }

        ReadOnlySpan<byte> page = Page(address - (ulong)offset);
        if (page.IsEmpty)
        {
            return ReadUncached(address, buffer);
        }

        page.Slice(offset, buffer.Length).CopyTo(buffer);
        return buffer.Length;
    }

    /// <summary>Fills the whole buffer, or says that it could not.</summary>
    public bool TryRead(ulong address, Span<byte> buffer) => Read(address, buffer) == buffer.Length;

    public bool TryReadUInt64(ulong address, out ulong value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        bool isRead = TryRead(address, bytes);
        value = isRead ? BinaryPrimitives.ReadUInt64LittleEndian(bytes) : 0;
        return isRead;
    }

    /// <param name="address">Where the pointer lies.</param>
    /// <param name="size">Its width in the target: 4 or 8 bytes.</param>
    /// <param name="value">The pointer, zero-extended.</param>
    public bool TryReadPointer(ulong address, int size, out ulong value)
    {
        if (size == sizeof(ulong))
        {
            return TryReadUInt64(address, out value);
        }

        bool isRead = TryReadUInt32(address, out uint narrow);
        value = narrow;
        return isRead;
    }

    public bool TryReadUInt32(ulong address, out uint value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(uint)];
        bool isRead = TryRead(address, bytes);
        value = isRead ? BinaryPrimitives.ReadUInt32LittleEndian(bytes) : 0;
        return isRead;
    }

    public bool TryReadUInt16(ulong address, out ushort value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ushort)];
        bool isRead = TryRead(address, bytes);
        value = isRead ? BinaryPrimitives.ReadUInt16LittleEndian(bytes) : (ushort)0;
        return isRead;
    }

    /// <summary>What the target has of the range counts; its image files fill in from where it breaks off.</summary>
    private int ReadUncached(ulong address, Span<byte> buffer)
    {
        int copied = _process.ReadMemory(address, buffer);
        while (_files is not null && copied < buffer.Length)
        {
            int read = _files.Read(unchecked(address + (ulong)copied), buffer[copied..]);
            copied += read;
            if (read == 0 || copied == buffer.Length)
            {
                break;
            }

            read = _process.ReadMemory(unchecked(address + (ulong)copied), buffer[copied..]);
            copied += read;
            if (read == 0)
            {
                break;
            }
        }

        return copied;
    }

    /// <summary>The page from the cache; empty where the source does not have all of it.</summary>
    private ReadOnlySpan<byte> Page(ulong page)
    {
        ulong number = page / PageSize;
        int slot = (int)((number ^ (number >> 8)) % Slots);
        Span<byte> bytes = _pages.AsSpan(slot * PageSize, PageSize);
        if (_pageOfSlot[slot] != page)
        {
            _pageOfSlot[slot] = NoPage;
            if (_process.ReadMemory(page, bytes) != PageSize)
            {
                return default;
            }

            _pageOfSlot[slot] = page;
        }

        return bytes;
    }
}
