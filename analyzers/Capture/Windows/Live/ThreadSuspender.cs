using System.Runtime.InteropServices;
using HangTriage.Capture.Live;

namespace HangTriage.Capture.Windows.Live;

/// <summary>Suspends every thread of a process and resumes them. Each step is in the guardian's journal before it is taken.</summary>
/// <param name="ids">Lists the ids of its threads, as many as may be suspended.</param>
/// <param name="journal">The guardian's.</param>
internal sealed unsafe class ThreadSuspender(Func<IReadOnlyList<uint>> ids, StopJournal journal) : IDisposable
{
    private const int ContextSize = 1232;
    private const int ContextFlagsAt = 0x30;

    // CONTEXT_ALL of x64: the state of a .NET thread is searched for references in every register.
    private const uint AllRegisters = 0x0010_001F;
    private const nuint Alignment = 64;

    private readonly byte* _context = (byte*)NativeMemory.AlignedAlloc(ContextSize, Alignment);
    private readonly Dictionary<uint, LiveThread> _threads = [];
    private readonly HashSet<uint> _closed = [];

    public IReadOnlyCollection<LiveThread> Threads => _threads.Values;

    /// <summary>Threads that the system did not let be opened, or that the guardian could not take, and that ran on.</summary>
    public int Refused { get; private set; }

    /// <summary>Opens the threads that there are, so that less is left to do while they stand still.</summary>
    public void Open() => _ = OpenNew();

    /// <summary>Suspends all threads; those that are started meanwhile with them.</summary>
    public void Stop(StopClock clock)
    {
        IReadOnlyList<LiveThread> open = [.. _threads.Values];
        do
        {
            foreach (LiveThread thread in open)
            {
                Suspend(thread);
            }

            open = OpenNew();
        }
        while (open.Count > 0 && !clock.IsTimeUp);

        foreach (LiveThread thread in _threads.Values.Where(thread => thread.IsSuspended))
        {
            thread.Context = ContextOf(thread);
        }
    }

    /// <summary>Lets all continue; those that others have suspended stay so.</summary>
    public void Release()
    {
        foreach (LiveThread thread in _threads.Values.Where(thread => thread.IsSuspended))
        {
            journal[thread.Entry] = StopState.Resuming;
            _ = WindowsCalls.ResumeThread(thread.Handle);
            journal[thread.Entry] = StopState.Resumed;
            thread.IsSuspended = false;
        }
    }

    public void Dispose()
    {
        Release();
        foreach (LiveThread thread in _threads.Values)
        {
            _ = WindowsCalls.CloseHandle(thread.Handle);
        }

        NativeMemory.AlignedFree(_context);
    }

    private List<LiveThread> OpenNew()
    {
        List<LiveThread> found = [];
        foreach (uint id in ids().Where(id => !_threads.ContainsKey(id) && !_closed.Contains(id)))
        {
            nint handle = LiveThreads.Open(id);
            if (handle == 0)
            {
                // One that has ended meanwhile is no loss.
                Refused += Marshal.GetLastPInvokeError() == WindowsCalls.AccessDenied ? 1 : 0;
                _closed.Add(id);
            }
            else if (journal.Add(handle) is not int entry)
            {
                Refused++;
                _closed.Add(id);
                _ = WindowsCalls.CloseHandle(handle);
            }
            else
            {
                LiveThread thread = new(id, handle, entry) { Facts = LiveThreads.Read(handle) };
                _threads.Add(id, thread);
                found.Add(thread);
            }
        }

        return found;
    }

    private void Suspend(LiveThread thread)
    {
        journal.Before(thread.Entry) = LiveThreads.SuspendCount(thread.Handle);
        journal[thread.Entry] = StopState.Suspending;
        uint before = WindowsCalls.SuspendThread(thread.Handle);
        if (before == WindowsCalls.Failed)
        {
            journal[thread.Entry] = StopState.None;
            return;
        }

        thread.IsSuspended = true;
        journal[thread.Entry] = StopState.Suspended;
        journal.Before(thread.Entry) = (int)before;
        thread.SuspendCount = before;
    }

    // Also waits until the thread is suspended for good: SuspendThread alone only asks for it.
    private byte[]? ContextOf(LiveThread thread)
    {
        NativeMemory.Clear(_context, ContextSize);
        *(uint*)(_context + ContextFlagsAt) = AllRegisters;
        return WindowsCalls.GetThreadContext(thread.Handle, _context) != 0 ? new ReadOnlySpan<byte>(_context, ContextSize).ToArray() : null;
    }
}
