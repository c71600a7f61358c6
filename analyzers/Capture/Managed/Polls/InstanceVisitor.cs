using HangTriage.Capture.Managed.Heap;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Gathers the objects of the program's own types, by the type and all that it derives from, where there are few.</summary>
/// <param name="mostInAll">So many are kept before the few of each type are all that is.</param>
internal sealed class InstanceVisitor(int mostInAll = InstanceVisitor.MostInAll) : IHeapVisitor
{
    private const int MostOfType = 512;
    private const int MostInAll = 100_000;

    // Kept of each type, however many there are in all.
    private const int LeastOfType = 8;
    private const int Deepest = 16;

    private readonly Dictionary<ulong, List<Found>> _byTable = [];
    private readonly Dictionary<string, Found> _byName = new(StringComparer.Ordinal);
    private int _left = mostInAll;

    /// <summary>The objects of the type, or of one that derives from it; null where there are more than are kept.</summary>
    /// <param name="type">Its name, without what a generic one is made of.</param>
    public IReadOnlyList<ulong>? Of(string type)
        => !_byName.TryGetValue(type, out Found? found) ? [] : found.IsCut ? null : found.Addresses;

    public bool Wants(ClrType type)
    {
        List<Found> all = [];
        ClrType? next = type;
        for (int depth = 0; next?.Name is { } name && depth < Deepest && !Frameworks.IsOwn(name); depth++, next = next.BaseType)
        {
            string plain = NameBrackets.Without(name);
            if (!_byName.TryGetValue(plain, out Found? found))
            {
                _byName.Add(plain, found = new Found());
            }

            all.Add(found);
        }

        if (all.Count > 0 && !type.IsArray)
        {
            _byTable[type.MethodTable] = all;
            return true;
        }

        return false;
    }

    public void Visit(HeapObject found)
    {
        foreach (Found known in _byTable[found.Type.MethodTable])
        {
            if (known.Addresses.Count >= (_left > 0 ? MostOfType : LeastOfType))
            {
                known.IsCut = true;
            }
            else
            {
                known.Addresses.Add(found.Address);
                _left = Math.Max(0, _left - 1);
            }
        }
    }

    private sealed class Found
    {
        public List<ulong> Addresses { get; } = [];

        public bool IsCut { get; set; }
    }
}
