using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>
/// Finds the runtime's list of tables of handles, by one of them: no symbol leads to it. dotnet/runtime: gc/objecthandle.h, a static
/// HandleTableMap { pBuckets, pNext, dwMaxIndex }, whose first bucket begins with the tables, one for each processor.
/// </summary>
internal sealed class HandleTableMap(IDataReader reader, ModuleInfo module)
{
    private const int Page = 0x1000;

    // Behind what is in the file stand the fields that begin as zero.
    private const ulong MostFields = 4UL << 20;
    private const ulong MostImage = 256UL << 20;

    // gc/gcpriv.h: MAX_SUPPORTED_CPUS.
    private const int MostTables = 1024;

    /// <summary>The tables that stand in one list with this one; null where there is no such list.</summary>
    public IReadOnlyList<ulong>? Find(ulong table)
    {
        byte[] page = new byte[Page];
        ulong end = module.ImageBase + Math.Min((ulong)module.ImageSize, MostImage) + MostFields;
        for (ulong at = module.ImageBase; at < end; at += Page)
        {
            int length = reader.Read(at, page) & ~(sizeof(ulong) - 1);
            foreach (ulong word in MemoryMarshal.Cast<byte, ulong>(page.AsSpan(0, length)))
            {
                if (IsAddress(word)
                    && reader.ReadPointer(word, out ulong bucket) && IsAddress(bucket)
                    && reader.ReadPointer(bucket, out ulong list) && IsAddress(list)
                    && reader.ReadPointer(list, out ulong first) && first == table)
                {
                    return [.. TablesOf(list)];
                }
            }
        }

        return null;
    }

    private IEnumerable<ulong> TablesOf(ulong list)
    {
        for (int index = 0; index < MostTables; index++)
        {
            if (!reader.ReadPointer(list + (ulong)(index * sizeof(ulong)), out ulong table) || HandleTable.At(reader, table) is null)
            {
                yield break;
            }

            yield return table;
        }
    }

    private static bool IsAddress(ulong word) => word > ushort.MaxValue && word % sizeof(ulong) == 0 && word >> 48 == 0;
}
