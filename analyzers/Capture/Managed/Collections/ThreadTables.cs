using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Collections;

/// <summary>
/// The hash tables that one thread has on its stack. Tiered compilation puts the tables' methods into their callers, so that
/// no frame names them: then an array of the table's, or a reference into it, in the innermost frame shows that the thread
/// is inside, since no other code ever holds one.
/// </summary>
internal sealed class ThreadTables
{
    // Thread::TS_Interruptible: in a wait, sleep or join. ClrMD does not name it.
    private const int Interruptible = 0x0200_0000;

    private readonly ClrStackFrame[] _frames;
    private readonly List<(ulong Address, int Frame)> _roots = [];

    private ThreadTables(ClrThread thread, ClrStackFrame[] frames)
    {
        Thread = thread;
        _frames = frames;
    }

    public ClrThread Thread { get; }

    public Dictionary<ulong, ClrType> Rooted { get; } = [];

    public bool IsBlocked => Blocks(Thread);

    public static bool Blocks(ClrThread thread) => ((int)thread.State & Interruptible) != 0;

    public static ThreadTables Of(ClrThread thread, CaptureLimits limits)
    {
        ClrStackFrame[] frames = [.. thread.EnumerateStackTrace(includeContext: false, maxFrames: limits.FramesPerThread)
            .Where(frame => frame.Kind == ClrStackFrameKind.ManagedMethod)];
        Dictionary<ulong, int> places = [];
        for (int i = 0; i < frames.Length; i++)
        {
            places.TryAdd(frames[i].StackPointer, i);
        }

        ThreadTables tables = new(thread, frames);
        foreach (ClrStackRoot root in thread.EnumerateStackRoots().Take(limits.RootsPerThread))
        {
            ClrObject found = root.Object;
            int frame = root.StackFrame is { } place && places.TryGetValue(place.StackPointer, out int index) ? index : -1;
            tables._roots.Add((found.Address, frame));
            if (!root.IsInterior && found.Type is { } type)
            {
                tables.Rooted.TryAdd(found.Address, type);
            }
        }

        return tables;
    }

    /// <summary>Null where nothing of the table is on the stack.</summary>
    /// <param name="table">The table.</param>
    /// <param name="state">Its arrays' sizes; null where they could not be read.</param>
    /// <param name="layouts">Tell which methods are a table's.</param>
    public CollectionUse? UseOf(Table table, TableState? state, TableLayouts layouts)
    {
        (bool isInside, ClrStackFrame? frame) = Inside(table, state, layouts);
        if (!isInside && !_roots.Any(root => root.Address == table.Address))
        {
            return null;
        }

        frame ??= _frames.FirstOrDefault();
        return new CollectionUse
        {
            Thread = new ThreadId(Thread.OSThreadId),
            IsInside = isInside,
            Writes = isInside && layouts.OfTable(frame?.Method?.Type) is not null && TableMethods.Writes(frame?.Method?.Name),
            IsBlocked = IsBlocked,
            HasConcurrentUseError = ConcurrentUse.IsErrorOf(Thread),
            Method = ManagedStack.MethodName(frame?.Method),
            Trust = Trust.Derived,
        };
    }

    private (bool IsInside, ClrStackFrame? Frame) Inside(Table table, TableState? state, TableLayouts layouts)
    {
        // The outermost of the table's methods is the one that was called; its caller may be what keeps the table alive.
        for (int i = _frames.Length - 1; i >= 0; i--)
        {
            int frame = i;
            if (layouts.OfTable(_frames[i].Method?.Type) is not null
                && _roots.Any(root => root.Address == table.Address && (root.Frame == frame || root.Frame == frame + 1)))
            {
                return (true, _frames[i]);
            }
        }

        return state is not null && _roots.Any(root => root.Frame == 0 && IsWithinArrays(root.Address, table, state))
            ? (true, _frames[0])
            : (false, null);
    }

    private static bool IsWithinArrays(ulong address, Table table, TableState state)
        => IsWithin(address, table.Entries, (ulong)state.Capacity * (uint)state.EntrySize)
            || IsWithin(address, table.Buckets, (ulong)state.Buckets * sizeof(int));

    // With the header, and with the place behind the last element, where a reference may stop.
    private static bool IsWithin(ulong address, ulong array, ulong size) => array != 0 && address - array <= size + 16;
}
