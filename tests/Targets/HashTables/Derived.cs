namespace HashTables;

internal sealed class Derived(IDictionary<int, string> from) : Dictionary<int, string>(from)
{
    public string Name { get; } = "derived";
}
