using HangTriage.Capture.Managed.Heap;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>Which semaphore each asynchronous entry waits for: an entry does not know its semaphore, the semaphore lists its entries.</summary>
internal sealed class SemaphoreNodes(CaptureContext context) : IHeapVisitor
{
    private const int BaseTypes = 8;

    private readonly List<(ulong Semaphore, ulong First)> _lists = [];
    private readonly Dictionary<ulong, ulong> _semaphores = [];
    private int _head = -1;

    public bool Wants(ClrType type)
    {
        ClrType? current = type;
        for (int depth = 0; current is not null && depth < BaseTypes; depth++, current = current.BaseType)
        {
            if (current.Name == DotNetTypes.SemaphoreSlim)
            {
                _head = FieldOffsets.Reference(current, "m_asyncHead");
                return _head >= 0;
            }
        }

        return false;
    }

    public void Visit(HeapObject found)
    {
        if (found.ReadPointer(_head) is not 0 and ulong first && _lists.Count < context.Limits.ManagedLocks)
        {
            _lists.Add((found.Address, first));
        }
    }

    /// <summary>To be called when the walk has ended.</summary>
    public void Follow(TargetWords words)
    {
        int next = -1;
        foreach ((ulong semaphore, ulong first) in _lists)
        {
            context.Step();
            for (ulong node = first; node != 0 && _semaphores.Count < context.Limits.Flows && _semaphores.TryAdd(node, semaphore);)
            {
                next = next < 0 ? FieldOffsets.Reference(words.TypeOf(node), "Next") : next;
                node = words.Reference(node, next);
            }
        }
    }

    /// <summary>The semaphore; 0 for an entry that no list has.</summary>
    public ulong Of(ulong node) => _semaphores.GetValueOrDefault(node);
}
