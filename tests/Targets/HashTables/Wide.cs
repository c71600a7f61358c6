namespace HashTables;

/// <summary>A value type with references between its numbers.</summary>
internal readonly record struct Wide(byte Small, string Text, long Number, object Other)
{
    public Wide(int i)
        : this((byte)i, $"{i}", i, $"{i}")
    {
    }
}
