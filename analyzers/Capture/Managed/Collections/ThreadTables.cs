using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Collections;

/// <summary>
/// The hash tables that one thread has on its stack. Tiered compilation puts the tables' methods into their callers, so that
/// no frame names them: then an array of the table's, or a reference into it, in the innermost frame shows that the thread
/// is inside, since no other code ever holds one.
/// </summary>
internal sealed class ThreadTables
{
    private const int ElsewhereOnStack = -1;

    private readonly ClrThread _thread;
    private readonly ClrStackFrame[] _frames;
    private readonly List<StackRoot> _roots = [];
    private readonly Dictionary<ulong, ClrStackFrame> _inside = [];
    private readonly bool _hasError;
    private bool _isScanned;

    private ThreadTables(ClrThread thread, ClrStackFrame[] frames)
    {
        _thread = thread;
        _frames = frames;
        _hasError = ConcurrentUse.IsErrorOf(thread);
    }

    /// <summary>The objects that the stack refers to, by address.</summary>
    public Dictionary<ulong, ClrType> Objects { get; } = [];

    public static ThreadTables Of(ClrThread thread, TableLayouts layouts, CaptureLimits limits)
    {
        ThreadTables tables = new(
            thread,
            [.. thread.EnumerateStackTrace(includeContext: false, maxFrames: limits.FramesPerThread).Where(frame => frame.Kind == ClrStackFrameKind.ManagedMethod)]);
        tables.ReadRoots(limits.RootsPerThread);
        tables.FindInside(layouts);
        return tables;
    }

    /// <summary>Null where nothing of the table is on the stack.</summary>
    /// <param name="table">The table.</param>
    /// <param name="state">The sizes of its arrays; null where they could not be read.</param>
    public CollectionUse? UseOf(Table table, TableState? state)
    {
        if (_inside.TryGetValue(table.Address, out ClrStackFrame? frame))
        {
            return Use(isInside: true, frame, TableCalls.Writes(frame.Method?.Name));
        }

        if (state is not null && _roots.Exists(root => root.Frame == 0 && IsWithinArrays(root.Address, table, state)))
        {
            return Use(isInside: true, _frames[0], writes: false);
        }

        return _roots.FindIndex(root => root.Address == table.Address) is >= 0 and int holding
            ? Use(isInside: false, _frames.ElementAtOrDefault(_roots[holding].Frame), writes: false)
            : null;
    }

    private CollectionUse Use(bool isInside, ClrStackFrame? frame, bool writes) => new()
    {
        Thread = new ThreadId(_thread.OSThreadId),
        IsInside = isInside,
        Writes = writes,
        IsBlocked = ThreadStates.IsBlocked(_thread),
        HasConcurrentUseError = _hasError,
        Method = ManagedStack.MethodName(frame?.Method),
        Trust = _isScanned ? Trust.Scanned : Trust.Derived,
    };

    private void ReadRoots(int limit)
    {
        Dictionary<ulong, int> places = [];
        for (int i = 0; i < _frames.Length; i++)
        {
            places.TryAdd(_frames[i].StackPointer, i);
        }

        foreach (HeldObject root in StackRoots.Of(_thread, out _isScanned).Take(limit))
        {
            ClrObject found = root.Object;
            _roots.Add(new StackRoot(
                found.Address, root.Frame is { } place ? places.GetValueOrDefault(place.StackPointer, ElsewhereOnStack) : ElsewhereOnStack));
            if (!root.IsInterior && found.Type is { } type)
            {
                Objects.TryAdd(found.Address, type);
            }
        }
    }

    /// <summary>
    /// For each method of a table on the stack the table that it works on: the one of its kind that its own frame refers to
    /// or, where it has no more use for it, its caller's. Where there are several nothing tells which. Where no method has one,
    /// it can be a field of an object of a caller's.
    /// </summary>
    private void FindInside(TableLayouts layouts)
    {
        FindInside(layouts, (frame, methodOf) => TablesIn(frame, methodOf) is { Length: > 0 } own ? own : TablesIn(frame + 1, methodOf));
        if (_inside.Count == 0)
        {
            FindInside(layouts, (frame, methodOf) => TablesIn(frame, methodOf).Length + TablesIn(frame + 1, methodOf).Length == 0 ? TablesInFieldsOf(frame + 1, methodOf) : []);
        }
    }

    private void FindInside(TableLayouts layouts, Func<int, ClrType?, ulong[]> find)
    {
        for (int i = _frames.Length - 1; i >= 0; i--)
        {
            ClrType? methodOf = _frames[i].Method?.Type;
            if (layouts.OfTable(methodOf) is not null && find(i, methodOf) is [ulong table])
            {
                // The outermost method is the one that the program called.
                _inside.TryAdd(table, _frames[i]);
            }
        }
    }

    private ulong[] TablesIn(int frame, ClrType? methodOf)
        =>
        [
            .. _roots
                .Where(root => root.Frame == frame && SharedCode.CanRunOn(methodOf, Objects.GetValueOrDefault(root.Address)))
                .Select(root => root.Address)
                .Distinct(),
        ];

    private ulong[] TablesInFieldsOf(int frame, ClrType? methodOf)
    {
        HashSet<ulong> tables = [];
        foreach (ulong holder in _roots.Where(root => root.Frame == frame).Select(root => root.Address).Distinct())
        {
            foreach (ClrInstanceField field in Objects.TryGetValue(holder, out ClrType? type) ? type.Fields.Where(field => field.IsObjectReference) : [])
            {
                if (field.ReadObject(holder, interior: false) is { IsNull: false, Type: { } held } found && SharedCode.CanRunOn(methodOf, held))
                {
                    tables.Add(found.Address);
                    Objects.TryAdd(found.Address, held);
                }
            }
        }

        return [.. tables];
    }

    private static bool IsWithinArrays(ulong address, Table table, TableState state)
        => IsWithin(address, table.Entries, (ulong)state.Capacity * (uint)state.EntrySize)
            || IsWithin(address, table.Buckets, (ulong)state.Buckets * sizeof(int));

    // With the header of a 64-bit array.
    private static bool IsWithin(ulong address, ulong array, ulong size) => array != 0 && address - array < size + 16;

    /// <param name="Address">What it refers to.</param>
    /// <param name="Frame">The index of the managed frame that it belongs to.</param>
    private readonly record struct StackRoot(ulong Address, int Frame);
}
