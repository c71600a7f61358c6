namespace HashTables;

/// <summary>Lets long chains come about.</summary>
internal sealed class Crowding : IEqualityComparer<int>
{
    public bool Equals(int x, int y) => x == y;

    public int GetHashCode(int obj) => obj % 5;
}
