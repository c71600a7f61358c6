using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Collections;

/// <summary>Where an entry of a hash table has its hash code and its link, by the type of the array of entries.</summary>
/// <param name="Size">Bytes of an entry.</param>
/// <param name="Hash">Offset of the hash code.</param>
/// <param name="Next">Offset of the link.</param>
/// <param name="IsFreeByHash">See <see cref="TableEncoding"/>.</param>
internal sealed record EntryLayout(int Size, int Hash, int Next, bool IsFreeByHash)
{
    private const int MostSize = 1 << 16;

    /// <summary>Null where the type is no array of such entries.</summary>
    public static EntryLayout? Of(ClrType? array)
    {
        if (array is not { IsArray: true, ComponentType: { IsValueType: true } entry, ComponentSize: > 0 and <= MostSize })
        {
            return null;
        }

        ClrInstanceField? hash = entry.GetFieldByName("hashCode") ?? entry.GetFieldByName("HashCode");
        ClrInstanceField? next = entry.GetFieldByName("next") ?? entry.GetFieldByName("Next");
        if (hash is null || next is null || hash.Offset + sizeof(int) > array.ComponentSize || next.Offset + sizeof(int) > array.ComponentSize
            || hash.Offset < 0 || next.Offset < 0)
        {
            return null;
        }

        return new EntryLayout(array.ComponentSize, hash.Offset, next.Offset, hash is { Name: "hashCode", ElementType: ClrElementType.Int32 });
    }
}
