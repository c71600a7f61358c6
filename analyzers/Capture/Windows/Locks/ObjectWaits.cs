using System.Collections.Frozen;
using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Windows.Locks;

/// <summary>
/// Joins threads in NtWaitForSingleObject and NtWaitForMultipleObjects with the handles that the process has, by the call's
/// arguments; the functions that lead to the call keep the handle in a preserved register too. Whatever the register, only a
/// value that is a handle to something that can be waited for counts.
/// </summary>
internal sealed class ObjectWaits
{
    private const int MostObjects = 64; // MAXIMUM_WAIT_OBJECTS

    private static readonly (int Number, string Name)[] s_preserved =
        [(7, "rdi"), (14, "r14"), (3, "rbx"), (6, "rsi"), (5, "rbp"), (12, "r12"), (13, "r13"), (15, "r15")];

    private static readonly FrozenDictionary<string, (LockKind Lock, WaitKind Wait)> s_types = new Dictionary<string, (LockKind, WaitKind)>
    {
        ["Mutant"] = (LockKind.Mutex, WaitKind.Acquire),
        ["Event"] = (LockKind.Event, WaitKind.Signal),
        ["Semaphore"] = (LockKind.Semaphore, WaitKind.Signal),
        ["Thread"] = (LockKind.Thread, WaitKind.Exit),
        ["Process"] = (LockKind.Process, WaitKind.Exit),
        ["Timer"] = (LockKind.KernelObject, WaitKind.Signal),
        ["IRTimer"] = (LockKind.KernelObject, WaitKind.Signal),
        ["Job"] = (LockKind.KernelObject, WaitKind.Signal),
    }.ToFrozenDictionary(StringComparer.Ordinal);

    private readonly LockContext _context;
    private readonly Dictionary<ulong, HandleFacts> _handles = [];
    private readonly List<WaitFacts> _waits = [];
    private readonly List<Gap> _gaps = [];

    /// <param name="context">Memory and layout.</param>
    /// <param name="handles">The process's handles; without them no wait can be told.</param>
    public ObjectWaits(LockContext context, Known<IReadOnlyList<HandleFacts>> handles)
    {
        _context = context;
        foreach (HandleFacts handle in handles.TryGet(out IReadOnlyList<HandleFacts>? list) ? list : [])
        {
            _handles.TryAdd(handle.Value.Value, handle);
        }
    }

    public IReadOnlyList<WaitFacts> Waits => _waits;

    public IReadOnlyList<Gap> Gaps => _gaps;

    public void Note(ThreadView thread, Known<SystemCallFacts>? call)
    {
        if (_handles.Count == 0 || call is null || !call.TryGet(out SystemCallFacts? facts) || !facts.Name.TryGet(out string? name))
        {
            return;
        }

        // A call that waits for somebody behind the object: its name, where it has one, tells for whom.
        if (WindowsCalls.Find(name)?.HandleType is { } type)
        {
            NoteReply(thread, facts, type);
            return;
        }

        int before = _waits.Count;
        if (_context.Layout.PointerSize == sizeof(uint))
        {
            NoteStackArguments(thread, name, facts);
        }
        else if (name == WindowsCalls.WaitForOne)
        {
            NoteOne(thread, facts);
        }
        else if (name == WindowsCalls.WaitForSeveral)
        {
            NoteMany(thread, facts);
        }

        if (_waits.Count == before && (name is WindowsCalls.WaitForOne or WindowsCalls.WaitForSeveral))
        {
            _gaps.Add(new Gap($"object that thread {thread.Id} waits for", "no register leads to a handle of something that can be waited for, or several do"));
        }
    }

    private void NoteOne(ThreadView thread, SystemCallFacts call)
    {
        if (thread.Registers is not [var registers, ..])
        {
            return;
        }

        Dictionary<ulong, List<string>> places = [];
        if (CallArguments.TryRead(_context, thread, call.Number, out ulong argument, out _))
        {
            Take(argument, "register rcx");
        }

        bool isArgument = places.Count > 0;
        foreach ((int number, string name) in s_preserved)
        {
            if (registers.TryGet(number, out ulong value) && (!isArgument || places.ContainsKey(value)))
            {
                Take(value, $"register {name}");
            }
        }

        if (places.Count == 1)
        {
            (ulong handle, List<string> where) = places.Single();
            Add(thread, _handles[handle], null, $"{string.Join(" and ", where)} at the system call");
        }

        void Take(ulong value, string where)
        {
            if (IsWaitable(value))
            {
                if (!places.TryGetValue(value, out List<string>? found))
                {
                    places.Add(value, found = []);
                }

                found.Add(where);
            }
        }
    }

    /// <summary>Nothing but the first argument tells; the frames say already that the thread waits for somebody.</summary>
    private void NoteReply(ThreadView thread, SystemCallFacts call, string type)
    {
        if (_context.Layout.PointerSize == sizeof(ulong)
            && CallArguments.TryRead(_context, thread, call.Number, out ulong value, out _)
            && _handles.TryGetValue(value, out HandleFacts? handle) && handle.Type.Is(name => name == type))
        {
            Add(thread, handle, LockKind.KernelObject, WaitKind.Reply, null, "register rcx at the system call");
        }
    }

    private void NoteStackArguments(ThreadView thread, string name, SystemCallFacts call)
    {
        if (!CallArguments.TryRead(_context, thread, call.Number, out ulong first, out ulong second)
            || !CallArguments.TryReadOnStack(_context, thread, 2, out ulong third))
        {
            return;
        }

        const string Source = "stack arguments of the system call";
        if (name == WindowsCalls.WaitForOne && IsWaitable(first))
        {
            Add(thread, _handles[first], null, Source);
        }
        else if (name == WindowsCalls.WaitForSeveral && first is > 0 and <= MostObjects)
        {
            // WaitType: 0 is WaitAll, 1 WaitAny.
            AddList(thread, first, second, third switch { 0 => WaitMode.All, 1 => WaitMode.Any, _ => WaitMode.AllOrAny }, Source);
        }
    }

    private void NoteMany(ThreadView thread, SystemCallFacts call)
    {
        if (CallArguments.TryRead(_context, thread, call.Number, out ulong count, out ulong array) && count is > 0 and <= MostObjects)
        {
            AddList(thread, count, array, WaitMode.AllOrAny, "registers rcx and rdx at the system call");
        }
    }

    private void AddList(ThreadView thread, ulong count, ulong array, WaitMode mode, string source)
    {
        List<HandleFacts> objects = [];
        for (ulong i = 0; i < count; i++)
        {
            if (!_context.Memory.TryReadPointer(unchecked(array + (i * (ulong)_context.Layout.PointerSize)), _context.Layout.PointerSize, out ulong value)
                || !IsWaitable(value))
            {
                return;
            }

            objects.Add(_handles[value]);
        }

        foreach (HandleFacts handle in objects)
        {
            Add(thread, handle, count == 1 ? null : mode, source);
        }
    }

    private bool IsWaitable(ulong value)
        => _handles.TryGetValue(value, out HandleFacts? handle) && handle.Type.Is(s_types.ContainsKey);

    private void Add(ThreadView thread, HandleFacts handle, WaitMode? mode, string source)
    {
        (LockKind kind, WaitKind wait) = s_types[handle.Type.Value];
        Add(thread, handle, kind, wait, mode, source);
    }

    private void Add(ThreadView thread, HandleFacts handle, LockKind kind, WaitKind wait, WaitMode? mode, string source)
        => _waits.Add(new WaitFacts
        {
            Thread = thread.Id,
            Lock = new LockId(kind, handle.Value),
            Kind = wait,
            Mode = mode,
            TargetThread = wait == WaitKind.Exit && handle.TargetThread is { } target && target.TryGet(out ThreadId id) ? id : null,
            TargetProcess = wait == WaitKind.Exit && handle.TargetProcess is { } process && process.TryGet(out uint pid) ? pid : null,
            Timeout = Known.Unknown<TimeSpan>("timeout", "the registers do not keep it"),
            Trust = Trust.Scanned,
            Source = source,
        });
}
