namespace HangTriage.Facts.Calls;

/// <summary>The rows of one family, found by name, by type and method, or by number.</summary>
public sealed class CallTable
{
    private readonly Dictionary<string, KnownCall> _byName = new(StringComparer.Ordinal);
    private readonly KnownCall?[] _byNumber;
    private readonly List<Prefix> _prefixes = [];
    private readonly HashSet<string> _types = new(StringComparer.Ordinal);

    /// <param name="rows">The rows; no two have one name and one type.</param>
    internal CallTable(params KnownCall[] rows)
    {
        Rows = rows;
        uint numbers = 0;
        foreach (KnownCall row in rows)
        {
            numbers = Math.Max(numbers, row.Number + 1 ?? 0);
        }

        _byNumber = new KnownCall?[numbers];
        foreach (KnownCall row in rows)
        {
            Add(row);
        }
    }

    public IReadOnlyList<KnownCall> Rows { get; }

    /// <summary>Null for a name that has no row. A name with its type is that of a row with that type.</summary>
    public KnownCall? Find(string? name)
        => name is null ? null
            : _byName.TryGetValue(name, out KnownCall? row) ? row
            : _prefixes.Find(prefix => name.StartsWith(prefix.Start, StringComparison.Ordinal))?.Row;

    /// <summary>The row of a method of that type; null where there is none.</summary>
    public KnownCall? Find(string? type, string? method)
        => type is not null && method is not null && _types.Contains(type) ? Find($"{type}.{CallNames.WithoutStub(method)}") : null;

    /// <summary>Null for a number that has no row.</summary>
    public KnownCall? Find(uint number) => number < _byNumber.Length ? _byNumber[number] : null;

    private void Add(KnownCall row)
    {
        string name = row.Type is null ? row.Name : $"{row.Type}.{row.Name}";
        if (row.IsPrefix)
        {
            _prefixes.Add(new Prefix(name, row));
        }
        else
        {
            _byName.Add(name, row);
        }

        if (row.Type is { } type)
        {
            _types.Add(type);
        }

        if (row.Number is { } number)
        {
            _byNumber[number] = row;
        }
    }

    private sealed record Prefix(string Start, KnownCall Row);
}
