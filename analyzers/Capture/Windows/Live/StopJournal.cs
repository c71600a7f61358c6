using System.ComponentModel;
using System.Runtime.InteropServices;

namespace HangTriage.Capture.Windows.Live;

/// <summary>
/// Memory that this process shares with its guardian: which threads of the target it is suspending. A suspension outlives its
/// maker on Windows; if this process is killed, the guardian resumes what the journal says is suspended.
/// </summary>
/// <remarks>An entry is 16 bytes: the thread's handle in the guardian (8), its suspend count before (4), its <see cref="StopState"/> (4).</remarks>
public sealed unsafe class StopJournal : IDisposable
{
    private const int EntrySize = 16;
    private const int BeforeAt = 8;
    private const int StateAt = 12;
    private const int MostEntries = 65_536;
    private const int Size = EntrySize * MostEntries;

    private readonly nint _guardian;
    private readonly nint _mapping;
    private readonly byte* _view;
    private int _count;

    private StopJournal(nint guardian, nint mapping, byte* view)
    {
        _guardian = guardian;
        _mapping = mapping;
        _view = view;
    }

    /// <summary>The journal's handle in the guardian.</summary>
    public long HandleInGuardian { get; private init; }

    internal int Count => Volatile.Read(ref _count);

    /// <param name="guardian">A process handle that may take handles (PROCESS_DUP_HANDLE); stays the caller's.</param>
    /// <exception cref="Win32Exception">The system does not give the memory, or the guardian has ended.</exception>
    public static StopJournal CreateFor(nint guardian)
    {
        nint mapping = WindowsCalls.CreateFileMapping(-1, 0, WindowsCalls.ReadAndWrite, 0, Size, null);
        byte* view = mapping == 0 ? null : WindowsCalls.MapViewOfFile(mapping, WindowsCalls.MapWrite, 0, 0, Size);
        nint inGuardian = 0;
        if (view is not null && WindowsCalls.DuplicateHandle(WindowsCalls.GetCurrentProcess(), mapping, guardian, &inGuardian, 0, 0, WindowsCalls.SameAccess) != 0)
        {
            return new StopJournal(guardian, mapping, view) { HandleInGuardian = inGuardian };
        }

        Win32Exception failure = new(Marshal.GetLastPInvokeError());
        Release(mapping, view);
        throw failure;
    }

    /// <summary>In the guardian: the journal of the process that gave it the handle.</summary>
    /// <exception cref="Win32Exception">There is no such journal.</exception>
    public static StopJournal Open(long handle)
    {
        byte* view = WindowsCalls.MapViewOfFile((nint)handle, WindowsCalls.MapWrite, 0, 0, Size);
        return view is null ? throw new Win32Exception(Marshal.GetLastPInvokeError()) : new StopJournal(0, (nint)handle, view) { HandleInGuardian = handle, _count = MostEntries };
    }

    public void Dispose() => Release(_mapping, _view);

    /// <summary>Gives the guardian a handle of a thread; null where it takes none, and the thread must not be suspended.</summary>
    internal int? Add(nint thread)
    {
        nint inGuardian = 0;
        if (_count >= MostEntries
            || WindowsCalls.DuplicateHandle(WindowsCalls.GetCurrentProcess(), thread, _guardian, &inGuardian, 0, 0, WindowsCalls.SameAccess) == 0)
        {
            return null;
        }

        Handle(_count) = inGuardian;
        return _count++;
    }

    /// <summary>The thread's handle in the guardian; 0 where the entry is empty.</summary>
    internal ref long Handle(int entry) => ref *(long*)(_view + (entry * (long)EntrySize));

    internal ref int Before(int entry) => ref *(int*)(_view + (entry * (long)EntrySize) + BeforeAt);

    internal StopState this[int entry]
    {
        get => (StopState)Volatile.Read(ref *(int*)(_view + (entry * (long)EntrySize) + StateAt));
        set => Volatile.Write(ref *(int*)(_view + (entry * (long)EntrySize) + StateAt), (int)value);
    }

    private static void Release(nint mapping, byte* view)
    {
        if (view is not null)
        {
            _ = WindowsCalls.UnmapViewOfFile(view);
        }

        if (mapping != 0)
        {
            _ = WindowsCalls.CloseHandle(mapping);
        }
    }
}
