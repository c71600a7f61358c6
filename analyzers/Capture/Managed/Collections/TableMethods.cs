using System.Collections.Frozen;

namespace HangTriage.Capture.Managed.Collections;

/// <summary>The methods of hash tables that change them, in every runtime, with the helpers behind the public ones.</summary>
internal static class TableMethods
{
    private static readonly FrozenSet<string> s_writers = new[]
    {
        "Add", "AddIfNotPresent", "AddOrGetLocation", "AddRange", "Clear", "EnsureCapacity", "ExceptWith", "IncreaseCapacity", "Initialize",
        "Insert", "IntersectWith", "Remove", "RemoveWhere", "Resize", "SetCapacity", "SymmetricExceptWith", "TrimExcess", "TryAdd",
        "TryInsert", "UnionWith", "set_Item", "GetValueRefOrAddDefault",
    }.ToFrozenSet(StringComparer.Ordinal);

    public static bool Writes(string? method) => method is not null && s_writers.Contains(method);
}
