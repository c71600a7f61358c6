namespace HangTriage.Facts.Calls;

/// <summary>
/// The methods of .NET's hash tables that change them, in every runtime, with the helpers behind the public ones, and the one
/// that throws where a link led in a circle. They are found by name alone, for types that are known to be such tables.
/// </summary>
public static class TableCalls
{
    private const string Source = "dotnet/runtime and referencesource: Dictionary.cs, HashSet.cs, CollectionsMarshal.cs, ThrowHelper.cs";

    public static CallTable Table { get; } = new(
    [
        .. new[]
        {
            "Add", "AddIfNotPresent", "AddOrGetLocation", "AddRange", "Clear", "EnsureCapacity", "ExceptWith", "IncreaseCapacity", "Initialize",
            "Insert", "IntersectWith", "Remove", "RemoveWhere", "Resize", "SetCapacity", "SymmetricExceptWith", "TrimExcess", "TryAdd",
            "TryInsert", "UnionWith", "set_Item", "GetValueRefOrAddDefault",
        }.Select(name => new KnownCall(name, CallMeaning.ChangesTable, Source)),
        new("ThrowInvalidOperationException_ConcurrentOperationsNotSupported", CallMeaning.ReportsConcurrentUse, Source),
    ]);

    public static bool Writes(string? method) => Table.Find(method)?.Meaning == CallMeaning.ChangesTable;

    public static bool ReportsConcurrentUse(string? method) => Table.Find(method)?.Meaning == CallMeaning.ReportsConcurrentUse;
}
