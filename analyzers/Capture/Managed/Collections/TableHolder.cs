using HangTriage.Capture.Managed.Fields;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Collections;

/// <summary>Says which field refers to a table: of the objects that threads have on their stacks, or else a static one.</summary>
internal static class TableHolder
{
    private const string What = "field that refers to the collection";
    private const int ObjectLimit = 4096;

    public static Known<string> Of(ulong table, IReadOnlyList<ThreadTables> threads, StaticHolders statics)
    {
        HashSet<ulong> seen = [];
        foreach ((ulong address, ClrType type) in threads.SelectMany(thread => thread.Objects))
        {
            if (seen.Count < ObjectLimit && seen.Add(address)
                && FieldNames.ReferencesOf(address, type).FirstOrDefault(reference => reference.Address == table) is { Name: { } name })
            {
                return Known.Read(name);
            }
        }

        try
        {
            return statics.FieldTo(table) is { } field
                ? Known.Read(field)
                : Known.Unknown<string>(What, "no object on the threads' stacks refers to it, and no static field or object that one holds");
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            return Known<string>.Unknown(Attempt.Failed(What, e));
        }
    }
}
