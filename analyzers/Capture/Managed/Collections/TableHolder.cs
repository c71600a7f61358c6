using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Collections;

/// <summary>Says which field refers to a table, among the objects that threads have on their stacks.</summary>
internal static class TableHolder
{
    private const int ObjectLimit = 4096;
    private const int ReferenceLimit = 256;

    public static Known<string> On(IReadOnlyList<ThreadTables> threads, ulong table)
    {
        HashSet<ulong> seen = [];
        foreach ((ulong address, ClrType type) in threads.SelectMany(thread => thread.Objects))
        {
            if (seen.Count < ObjectLimit && seen.Add(address) && type is { ContainsPointers: true, IsArray: false } && FieldTo(address, type, table) is { } name)
            {
                return Known.Read(name);
            }
        }

        return Known.Unknown<string>("field that refers to the collection", "no object on the threads' stacks refers to it");
    }

    private static string? FieldTo(ulong address, ClrType type, ulong table)
    {
        foreach (ClrInstanceField field in type.Fields.Take(ReferenceLimit))
        {
            if (field.IsObjectReference && field.ReadObject(address, interior: false).Address == table)
            {
                return $"{type.Name}.{field.Name}";
            }
        }

        return null;
    }
}
