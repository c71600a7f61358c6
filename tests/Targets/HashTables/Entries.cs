using System.Reflection;

namespace HashTables;

/// <summary>Reaches into a Dictionary or HashSet.</summary>
internal static class Entries
{
    private const BindingFlags Private = BindingFlags.Instance | BindingFlags.NonPublic;

    public static FieldInfo Field(object table, string name) => table.GetType().GetField(name, Private)!;

    public static int[] Buckets(object table) => (int[])Field(table, "_buckets").GetValue(table)!;

    public static void SetField(object table, int index, string field, object value)
    {
        Array entries = (Array)Field(table, "_entries").GetValue(table)!;
        object entry = entries.GetValue(index)!;
        entry.GetType().GetField(field)!.SetValue(entry, value);
        entries.SetValue(entry, index);
    }
}
