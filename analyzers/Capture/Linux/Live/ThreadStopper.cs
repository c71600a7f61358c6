using System.Runtime.InteropServices;
using HangTriage.Capture.Live;

namespace HangTriage.Capture.Linux.Live;

/// <summary>
/// Stops every thread of a process and lets them continue. All of it happens on one thread of this tool, as the kernel wants
/// it: however that thread or the tool ends, the kernel lets the process continue.
/// </summary>
/// <param name="process">Its id.</param>
/// <param name="limit">As many threads as are stopped.</param>
internal sealed unsafe class ThreadStopper(int process, int limit)
{
    private const int RegisterBytes = 27 * sizeof(ulong);

    // A thread of another state is stopped within microseconds of when it gets a processor.
    private static readonly TimeSpan s_patience = TimeSpan.FromMilliseconds(5);

    private readonly Dictionary<int, TracedThread> _threads = [];

    public IReadOnlyCollection<TracedThread> Threads => _threads.Values;

    /// <summary>Why a thread could not be seized (errno); null where all could.</summary>
    public int? Refusal { get; private set; }

    /// <summary>Stops all threads; one that starts others meanwhile is stopped with them.</summary>
    public void Stop(StopClock clock)
    {
        while (SeizeNew())
        {
            Await(clock);
            if (clock.IsTimeUp)
            {
                break;
            }
        }

        foreach (TracedThread thread in _threads.Values.Where(thread => thread.IsStopped))
        {
            thread.Registers = RegistersOf(thread.Id);
        }
    }

    /// <summary>Lets all continue.</summary>
    public void Release()
    {
        foreach (TracedThread thread in _threads.Values.Where(thread => thread.IsStopped))
        {
            Release(thread);
        }
    }

    /// <summary>
    /// Lets those go that stop only now, so that others can trace them. Whoever does not within a moment is let go with the
    /// thread that calls this.
    /// </summary>
    public void ReleaseLate()
    {
        StopClock clock = new(s_patience);
        TracedThread[] late = [.. _threads.Values.Where(thread => thread is { IsStopped: false, IsGone: false })];
        while (late.Length > 0 && !clock.IsTimeUp)
        {
            foreach (TracedThread thread in late.Where(Looked).Where(thread => thread.IsStopped))
            {
                Release(thread);
            }

            late = [.. late.Where(thread => thread is { IsStopped: false, IsGone: false })];
            Thread.Sleep(0);
        }
    }

    private static void Release(TracedThread thread) => _ = SystemCalls.Trace(SystemCalls.Detach, thread.Id, 0, thread.PendingSignal);

    private bool SeizeNew()
    {
        bool isAny = false;
        foreach (int id in Listed())
        {
            if (_threads.ContainsKey(id) || _threads.Count >= limit)
            {
                continue;
            }

            if (SystemCalls.Trace(SystemCalls.Seize, id, 0, 0) == 0)
            {
                isAny = true;
                _threads.Add(id, new TracedThread(id));
                _ = SystemCalls.Trace(SystemCalls.Interrupt, id, 0, 0);
            }
            else if (Marshal.GetLastPInvokeError() is var error && error != SystemCalls.NoSuchProcess && !HasEnded(id))
            {
                Refusal ??= error;
            }
        }

        return isAny;
    }

    private void Await(StopClock clock)
    {
        TimeSpan begin = clock.Elapsed;
        while (true)
        {
            int open = 0;
            foreach (TracedThread thread in _threads.Values)
            {
                if (thread is { IsStopped: false, IsGone: false, IsInKernel: false } && !Looked(thread))
                {
                    open++;
                }
            }

            if (open == 0 || clock.IsTimeUp)
            {
                return;
            }

            if (clock.Elapsed - begin > s_patience)
            {
                SetApartThoseInKernel();
            }

            Thread.Sleep(0);
        }
    }

    /// <summary>True where something is known of the thread now.</summary>
    private static bool Looked(TracedThread thread)
    {
        int status = 0;
        int answer = SystemCalls.Wait(thread.Id, &status, SystemCalls.AtOnceOfAnyThread);
        if (answer == 0 || (answer < 0 && Marshal.GetLastPInvokeError() == SystemCalls.Interrupted))
        {
            return false;
        }

        StopStatus stop = new(status);
        thread.IsStopped = answer > 0 && stop.IsStop;
        thread.IsGone = !thread.IsStopped;
        thread.PendingSignal = thread.IsStopped ? stop.PendingSignal : 0;
        return true;
    }

    private void SetApartThoseInKernel()
    {
        foreach (TracedThread thread in _threads.Values.Where(thread => thread is { IsStopped: false, IsGone: false }))
        {
            thread.IsInKernel = StatFields.Read($"/proc/{process}/task/{thread.Id}/stat")?.State == 'D';
        }
    }

    private bool HasEnded(int id) => StatFields.Read($"/proc/{process}/task/{id}/stat")?.State is null or 'Z' or 'X';

    private static byte[]? RegistersOf(int thread)
        => RegisterSet(thread, SystemCalls.GeneralRegisters, RegisterBytes) is { } general
            ? [.. general, .. RegisterSet(thread, SystemCalls.FloatRegisters, ThreadRegistersX64.FloatBytes) ?? []]
            : null;

    private static byte[]? RegisterSet(int thread, int set, int size)
    {
        byte[] registers = new byte[size];
        fixed (byte* start = registers)
        {
            SystemCalls.MemoryRange range = new() { Start = (ulong)start, Length = (nuint)size };
            return SystemCalls.Trace(SystemCalls.GetRegisterSet, thread, set, (nint)(&range)) == 0 && range.Length == (nuint)size
                ? registers
                : null;
        }
    }

    private IEnumerable<int> Listed() => TaskFolder.Ids(process);
}
