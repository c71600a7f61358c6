namespace LockWaits;

/// <summary>Threads in each kind of wait for a managed lock, each printed as the capture should see it.</summary>
internal static class Program
{
    private static readonly List<Waiter> s_waiters = [];

    private static void Main()
    {
        Vault vault = new();
        Orphan orphan = new();
        Bell bell = new();
        Quiet quiet = new();
#if NET9_0_OR_GREATER
        Lock gate = new();
#endif
        using ManualResetEvent never = new(initialState: false);
        using ManualResetEvent held = new(initialState: false);

        Waiter ghost = new("ghost", "-", "-", 0, () => Monitor.Enter(orphan));
        ghost.Start();
        ghost.Join();
        Waiter keeper = new("keeper", "-", "-", 0, () =>
        {
            Monitor.Enter(vault);
            Monitor.Enter(vault);
            Monitor.Enter(quiet);
#if NET9_0_OR_GREATER
            gate.Enter();
            gate.Enter();
            gate.Enter();
#endif
            held.Set();
            never.WaitOne();
        });
        keeper.Start();
        held.WaitOne();

        Add("vault-waiter", "Monitor", "LockWaits.Vault", -1, () => EnterBeside(vault, orphan));
        Add("vault-timed-waiter", "Monitor", "LockWaits.Vault", 3_600_000, () => Monitor.TryEnter(vault, TimeSpan.FromHours(1)));
        Add("orphan-waiter", "Monitor", "LockWaits.Orphan", -1, () => Monitor.Enter(orphan));
        Add("pulse-waiter", "Pulse", "LockWaits.Bell", 7_200_000, () => WaitForPulse(bell, TimeSpan.FromHours(2)));
        Add("pulse-waiter-without-end", "Pulse", "LockWaits.Bell", -1, () => WaitForPulse(bell, Timeout.InfiniteTimeSpan));
#if NET9_0_OR_GREATER
        if (!Environment.GetCommandLineArgs().Contains("monitors-only"))
        {
            Add("lock-waiter", "Lock", "System.Threading.Lock", -1, gate.Enter);
            Add("lock-timed-waiter", "Lock", "System.Threading.Lock", 1_800_000, () => gate.TryEnter(TimeSpan.FromMinutes(30)));
        }
#endif
#if NET9_0_OR_GREATER
        // It is in Monitor.Wait still, and its pulse has come: it waits for the lock.
        Drum drum = new();
        Add("pulsed-waiter", "Monitor", "LockWaits.Drum", -1, () => WaitForPulse(drum, Timeout.InfiniteTimeSpan));
        Waiter drummer = new("drummer", "-", "-", 0, () =>
        {
            Monitor.Enter(drum);
            Monitor.PulseAll(drum);
            never.WaitOne();
        });
#endif
        foreach (Waiter waiter in s_waiters)
        {
            waiter.Start();
            while (!waiter.IsBlocked)
            {
                Thread.Yield();
            }
        }

#if NET9_0_OR_GREATER
        long contentions = Monitor.LockContentionCount;
        drummer.Start();
        while (!drummer.IsBlocked || Monitor.LockContentionCount == contentions || !s_waiters[^1].IsBlocked)
        {
            Thread.Yield();
        }
#endif
        foreach (Waiter waiter in s_waiters.Prepend(keeper).Prepend(ghost))
        {
            Console.WriteLine(waiter);
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        keeper.Join();
    }

    private static void Add(string name, string kind, string waits, int timeout, Action wait)
        => s_waiters.Add(new Waiter(name, kind, waits, timeout, wait));

    /// <summary>The stack holds another monitor that the thread could wait for, but does not.</summary>
    private static void EnterBeside(Vault vault, Orphan orphan)
    {
        Monitor.Enter(vault);
        GC.KeepAlive(orphan);
    }

    private static void WaitForPulse(object bell, TimeSpan timeout)
    {
        lock (bell)
        {
            Monitor.Wait(bell, timeout);
        }
    }
}
