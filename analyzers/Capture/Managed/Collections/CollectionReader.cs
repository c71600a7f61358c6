using System.Globalization;
using HangTriage.Capture.Managed.Fields;
using HangTriage.Capture.Managed.Heap;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Collections;

/// <summary>
/// Checks the hash tables that threads run on: those in the stack roots of threads that do not wait, and with
/// <see cref="CaptureContext.Deep"/> every one of the heap.
/// </summary>
internal sealed class CollectionReader
{
    private readonly ClrRuntime _runtime;
    private readonly IReadOnlyList<ClrThread> _threads;
    private readonly CaptureContext _context;
    private readonly TableLayouts _layouts;
    private readonly TableReader _reader;
    private readonly TableVisitor? _tables;
    private readonly ErrorVisitor? _errors;
    private readonly StaticHolders _statics;
    private readonly List<Gap> _gaps = [];

    public CollectionReader(ClrRuntime runtime, IReadOnlyList<ClrThread> threads, CaptureContext context)
    {
        _runtime = runtime;
        _threads = threads;
        _context = context;
        _layouts = new TableLayouts(runtime.Heap);
        _statics = new StaticHolders(runtime, context);
        _reader = new TableReader(runtime, _layouts, context.Limits);
        if (context.Deep)
        {
            _tables = new TableVisitor(_layouts, context.Limits.Collections);
            _errors = new ErrorVisitor(runtime);
        }
    }

    /// <summary>Who takes part in the walk over the heap; none where the whole heap is not asked for.</summary>
    public IReadOnlyList<IHeapVisitor> Visitors => _tables is null ? [] : [_tables, _errors!];

    /// <summary>To be called when the walk has ended.</summary>
    /// <param name="walkGaps">What of the heap was not walked.</param>
    public CollectionsFacts Read(IReadOnlyList<Gap> walkGaps)
    {
        _gaps.AddRange(walkGaps);
        ThreadTables[] running = [.. _threads.Where(thread => !ThreadStates.IsBlocked(thread)).Select(OnStackOf).OfType<ThreadTables>()];
        Dictionary<ulong, (Table Table, TableState? State)> checkedTables = [];
        foreach (Table table in OnStacks(running))
        {
            checkedTables.TryAdd(table.Address, (table, Check(table)));
        }

        int count = checkedTables.Count;
        if (_tables is not null)
        {
            count = CheckHeap(checkedTables);
        }

        List<CollectionFacts> noteworthy = [];
        ThreadTables[]? all = null;
        foreach ((Table table, TableState? state) in checkedTables.Values)
        {
            bool isDamaged = state?.Faults.Count > 0;
            ThreadTables[] threads = isDamaged ? all ??= [.. running, .. Waiting()] : running;
            CollectionUse[] uses = [.. threads.Select(thread => thread.UseOf(table, state)).OfType<CollectionUse>()];
            if (isDamaged || uses.Count(use => use.IsInside) > 1)
            {
                noteworthy.Add(Describe(table, state, uses, threads));
            }
        }

        return new CollectionsFacts
        {
            WholeHeap = _tables is not null && walkGaps.Count == 0 && _tables.Left == 0,
            Checked = count,
            Noteworthy = noteworthy,
            ConcurrentUseErrors = _errors?.Count ?? _threads.Count(ConcurrentUse.IsErrorOf),
            Gaps = _gaps,
        };
    }

    private IEnumerable<ThreadTables> Waiting() => _threads.Where(ThreadStates.IsBlocked).Select(OnStackOf).OfType<ThreadTables>();

    private ThreadTables? OnStackOf(ClrThread thread)
    {
        _context.Step();
        try
        {
            return ThreadTables.Of(thread, _layouts, _context.Limits);
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            _gaps.Add(Attempt.Failed($"objects on the stack of thread 0x{thread.OSThreadId:x}", e));
            return null;
        }
    }

    private IEnumerable<Table> OnStacks(IEnumerable<ThreadTables> threads)
    {
        foreach ((ulong address, ClrType type) in threads.SelectMany(thread => thread.Objects))
        {
            if (_layouts.OfTable(type) is { } layout)
            {
                if (Table.Read(_runtime.DataTarget.DataReader, address, layout) is { } table)
                {
                    yield return table;
                }
                else
                {
                    _gaps.Add(new Gap($"collection at 0x{address:x}", "the object is not whole in the input"));
                }
            }
        }
    }

    private TableState? Check(Table table)
    {
        Known<TableState> state = _reader.Check(table);
        if (state.TryGet(out TableState? value))
        {
            return value;
        }

        _gaps.Add(state.Gap!);
        return null;
    }

    /// <summary>How many tables the heap has; those that are damaged are added.</summary>
    private int CheckHeap(Dictionary<ulong, (Table Table, TableState? State)> damaged)
    {
        _context.Progress?.Report("collections");
        int unreadable = 0;
        Gap? first = null;
        int left = 0;
        int at = 0;
        foreach (Table table in _tables!.Tables.OrderBy(table => table.Entries))
        {
            if ((++at & 0x3FF) == 0)
            {
                _context.Step();
            }

            Known<TableState> state = _reader.Check(table);
            if (!state.TryGet(out TableState? value))
            {
                unreadable++;
                first ??= state.Gap;
            }
            else if (value.Faults.Count > 0 && damaged.Count < _context.Limits.DamagedCollections)
            {
                damaged.TryAdd(table.Address, (table, value));
            }
            else
            {
                left += value.Faults.Count > 0 ? 1 : 0;
            }
        }

        AddGap(unreadable, first?.Why ?? string.Empty);
        AddGap(left, "they are damaged, and more than the limit");
        AddGap(_tables.Left, "they are more than the limit, and were not checked");
        return _tables.Tables.Count - unreadable;
    }

    private void AddGap(int count, string why)
    {
        if (count > 0)
        {
            _gaps.Add(new Gap(string.Create(CultureInfo.InvariantCulture, $"{count} collections"), why));
        }
    }

    private CollectionFacts Describe(Table table, TableState? state, CollectionUse[] uses, IReadOnlyList<ThreadTables> threads)
        => new()
        {
            Address = new Address(table.Address),
            Type = table.Layout.Type.Name ?? "?",
            Trust = table.Layout.Trust,
            Entries = table.Count,
            Buckets = state?.Buckets ?? 0,
            Faults = state?.Faults ?? [],
            Uses = uses,
            Holder = TableHolder.Of(table.Address, threads, _statics),
        };
}
