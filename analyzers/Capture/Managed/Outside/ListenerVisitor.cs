using HangTriage.Capture.Managed.Heap;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Outside;

/// <summary>
/// Gathers the sockets at which the process takes connections. Who accepts them may wait for no socket at the moment: the next round of
/// that loop can be queued like all else.
/// </summary>
internal sealed class ListenerVisitor : IHeapVisitor
{
    // Every connection has a socket, and most servers listen at two addresses.
    private const int Most = 100_000;
    private const int MostAddresses = 64;

    private readonly List<ulong> _found = [];

    public bool Wants(ClrType type) => type.Name == SocketReader.Type;

    public void Visit(HeapObject found)
    {
        if (_found.Count < Most)
        {
            _found.Add(found.Address);
        }
    }

    /// <summary>The addresses, as "127.0.0.1:5000"; at most some.</summary>
    public IReadOnlyList<string> Read(ClrHeap heap)
        =>
        [
            .. _found.Select(address => SocketReader.ListensAt(heap.GetObject(address)))
                .OfType<Known<string>>()
                .Where(known => known.HasValue)
                .Select(known => known.Value)
                .Distinct(StringComparer.Ordinal)
                .Take(MostAddresses),
        ];
}
