namespace ConcurrentWriters;

/// <summary>A key that takes years to hash, so that whoever adds it is inside the table.</summary>
internal sealed class Document
{
    private const long Length = 1L << 60;

    private volatile bool _isBeingHashed;

    public bool IsBeingHashed => _isBeingHashed;

    public override bool Equals(object? obj) => ReferenceEquals(this, obj);

    public override int GetHashCode()
    {
        uint hash = 2166136261;
        for (long i = 0; i < Length; i++)
        {
            hash = unchecked((hash ^ (byte)i) * 16777619);
            _isBeingHashed = true;
        }

        return (int)hash;
    }
}
