namespace HangTriage.Capture.Managed.Polls;

/// <summary>Two that are at the same places of the same methods are at one.</summary>
internal sealed class CodeLevelsComparer : IEqualityComparer<IReadOnlyList<CodeLevel>>
{
    public static CodeLevelsComparer Instance { get; } = new();

    public bool Equals(IReadOnlyList<CodeLevel>? x, IReadOnlyList<CodeLevel>? y)
        => ReferenceEquals(x, y) || (x is not null && y is not null && x.SequenceEqual(y));

    public int GetHashCode(IReadOnlyList<CodeLevel> levels)
    {
        HashCode hash = default;
        foreach (CodeLevel level in levels)
        {
            hash.Add(level);
        }

        return hash.ToHashCode();
    }
}
