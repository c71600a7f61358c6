namespace HashTables;

/// <summary>An object between a static field and a table.</summary>
internal sealed class Cache(object items)
{
    public object Items { get; } = items;
}
