using System.Buffers.Binary;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>Finds where objects stand again behind a place of the heap that has none.</summary>
internal sealed class HeapHoles(HeapTypes types, MemoryWindow window, int pointerSize)
{
    /// <summary>
    /// Room for the smallest object, a header and what aligns them. Where a thread's room to allocate is exactly used up the
    /// runtime does not list it, and leaves zeros behind it. More zeros than that are lost objects.
    /// </summary>
    private const int LargestExpected = 64;

    // An object's address can stand in data; several objects in a row do not.
    private const int ObjectsInARow = 3;

    /// <param name="address">Where no object stands.</param>
    /// <param name="last">Where objects stand again at the latest.</param>
    /// <param name="end">Of the segment.</param>
    /// <param name="alignment">Of the segment's objects.</param>
    /// <param name="isExpected">No object is lost between: the runtime leaves such holes.</param>
    public ulong Behind(ulong address, ulong last, ulong end, ulong alignment, out bool isExpected)
    {
        bool isZero = true;
        ulong next = address;
        for (; next < last && Word(next, end) is { } word; next += alignment)
        {
            if (word == 0)
            {
                continue;
            }

            bool isNear = isZero && next - address <= LargestExpected;
            if (AreObjects(next, end, alignment, isNear))
            {
                isExpected = isNear;
                return next;
            }

            isZero = false;
        }

        isExpected = isZero && next >= last && last - address <= LargestExpected;
        return last;
    }

    /// <param name="address">Where the first would stand.</param>
    /// <param name="end">Of the segment.</param>
    /// <param name="alignment">Of the segment's objects.</param>
    /// <param name="asksRuntime">Types that the walk has not met count as well: too dear to ask for every word of a segment.</param>
    private bool AreObjects(ulong address, ulong end, ulong alignment, bool asksRuntime)
    {
        for (int count = 0; count < ObjectsInARow && address < end; count++)
        {
            ReadOnlySpan<byte> content = window.At(address, 2 * pointerSize, end);
            if (content.Length < 2 * pointerSize)
            {
                return false;
            }

            ulong table = Pointer(content);
            if (table == 0 && count > 0)
            {
                return true;
            }

            HeapType? type = asksRuntime || count > 0 ? types.Of(table, address) : types.Known(table);
            ulong size = type?.SizeOf(content, pointerSize, alignment) ?? 0;
            if (size == 0 || size > end - address)
            {
                return false;
            }

            address += size;
        }

        return true;
    }

    private ulong? Word(ulong address, ulong end)
    {
        ReadOnlySpan<byte> content = window.At(address, pointerSize, end);
        return content.Length < pointerSize ? null : Pointer(content);
    }

    private ulong Pointer(ReadOnlySpan<byte> content)
        => pointerSize == sizeof(ulong) ? BinaryPrimitives.ReadUInt64LittleEndian(content) : BinaryPrimitives.ReadUInt32LittleEndian(content);
}
