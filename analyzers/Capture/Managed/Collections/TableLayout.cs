using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Collections;

/// <summary>Where a hash table has its fields, found by their names; offsets count from the first field on.</summary>
/// <param name="Type">The table's type.</param>
/// <param name="Buckets">Offset of the reference to the buckets.</param>
/// <param name="Entries">Offset of the reference to the entries.</param>
/// <param name="Count">Offset of the count of entries that were ever taken.</param>
/// <param name="FreeList">Offset of the index of the first free entry.</param>
/// <param name="FreeCount">Offset of the count of free entries; null where only that of live ones is kept.</param>
/// <param name="LiveCount">Offset of the count of live entries; null where that of free ones is kept.</param>
/// <param name="IsZeroBased">See <see cref="TableEncoding"/>.</param>
/// <param name="Trust">Read for the runtime's own types of .NET; assumed for those of .NET Framework, which no test has seen, and for others.</param>
/// <param name="IsOwnKind">A type of the runtime, of which every rule of the layout is known, and not just one with such fields.</param>
internal sealed record TableLayout(
    ClrType Type,
    int Buckets,
    int Entries,
    int Count,
    int FreeList,
    int? FreeCount,
    int? LiveCount,
    bool IsZeroBased,
    Trust Trust,
    bool IsOwnKind)
{
    // The fields of such a table alone have 40 bytes in a 64-bit process, 28 in a 32-bit one.
    private const int LeastSize = 28;
    private const int MostSize = 512;

    /// <summary>Null for a type that is no such table.</summary>
    public static TableLayout? Of(ClrType type)
    {
        if (type.IsArray || type.IsString || !type.ContainsPointers || type.StaticSize is < LeastSize or > MostSize)
        {
            return null;
        }

        int? buckets = Offset(type, "_buckets", "buckets", "m_buckets");
        int? entries = Offset(type, "_entries", "entries", "_slots", "m_slots");
        int? freeList = Offset(type, "_freeList", "freeList", "m_freeList");
        int? freeCount = Offset(type, "_freeCount", "freeCount");
        int? lastIndex = Offset(type, "_lastIndex", "m_lastIndex");
        int? count = Offset(type, "_count", "count", "m_count");
        if (buckets is null || entries is null || freeList is null || count is null || (freeCount ?? lastIndex) is null)
        {
            return null;
        }

        bool isOwnKind = IsSystem(type);
        bool isZeroBased = type.GetFieldByName("buckets") is not null;
        return new TableLayout(
            type,
            buckets.Value,
            entries.Value,
            freeCount is null ? lastIndex!.Value : count.Value,
            freeList.Value,
            freeCount,
            freeCount is null ? count : null,
            isZeroBased,
            isOwnKind && !isZeroBased ? Trust.Read : Trust.Assumed,
            isOwnKind);
    }

    private static int? Offset(ClrType type, params ReadOnlySpan<string> names)
    {
        foreach (string name in names)
        {
            if (type.GetFieldByName(name) is { } field)
            {
                return field.Offset;
            }
        }

        return null;
    }

    private static bool IsSystem(ClrType type)
    {
        for (ClrType? at = type; at is not null; at = at.BaseType)
        {
            if (at.Name is { } name
                && (name.StartsWith("System.Collections.Generic.Dictionary<", StringComparison.Ordinal)
                    || name.StartsWith("System.Collections.Generic.HashSet<", StringComparison.Ordinal))
                && IsCoreLibrary(at.Module))
            {
                return true;
            }
        }

        return false;
    }

    private static bool IsCoreLibrary(ClrModule? module)
        => module?.Name is { } path
            && path[(path.LastIndexOfAny(['/', '\\']) + 1)..].ToLowerInvariant() is
                "system.private.corelib.dll" or "mscorlib.dll" or "system.core.dll" or "system.collections.dll";
}
