using System.Collections.Frozen;

namespace HangTriage.Facts.Calls;

/// <summary>The rows of one family, found by name, by type and method, or by number.</summary>
public sealed class CallTable
{
    private readonly FrozenDictionary<string, KnownCall> _byName;
    private readonly KnownCall?[] _byNumber;
    private readonly (string Start, KnownCall Row)[] _prefixes;
    private readonly FrozenSet<string> _types;

    /// <param name="rows">The rows; no two have one name and one type.</param>
    internal CallTable(params KnownCall[] rows)
    {
        Rows = rows;
        _byName = rows.Where(row => !row.IsPrefix).ToFrozenDictionary(FullName, StringComparer.Ordinal);
        _prefixes = [.. rows.Where(row => row.IsPrefix).Select(row => (FullName(row), row))];
        _types = rows.Select(row => row.Type).OfType<string>().ToFrozenSet(StringComparer.Ordinal);
        _byNumber = new KnownCall?[(int)rows.Max(row => row.Number + 1 ?? 0)];
        foreach (KnownCall row in rows)
        {
            if (row.Number is { } number)
            {
                _byNumber[number] = row;
            }
        }
    }

    public IReadOnlyList<KnownCall> Rows { get; }

    /// <summary>Null for a name that has no row. A name with its type is that of a row with that type.</summary>
    public KnownCall? Find(string? name)
        => name is null ? null
            : _byName.TryGetValue(name, out KnownCall? row) ? row
            : _prefixes.Length == 0 ? null
            : Array.Find(_prefixes, prefix => name.StartsWith(prefix.Start, StringComparison.Ordinal)).Row;

    /// <summary>The row of a method of that type; null where there is none.</summary>
    public KnownCall? Find(string? type, string? method)
        => type is not null && method is not null && _types.Contains(type) ? Find($"{type}.{method}") : null;

    /// <summary>Null for a number that has no row.</summary>
    public KnownCall? Find(uint number) => number < _byNumber.Length ? _byNumber[number] : null;

    private static string FullName(KnownCall row) => row.Type is null ? row.Name : $"{row.Type}.{row.Name}";
}
