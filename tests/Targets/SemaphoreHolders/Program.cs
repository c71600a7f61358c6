using Samples;

namespace SemaphoreHolders;

/// <summary>Threads that wait for semaphores; each is printed with the thread that is known to have the entry, or none.</summary>
internal static class Program
{
    private static readonly List<Thread> s_all = [];

    private static void Main()
    {
        Scenes.Till till = new();
        Held("till", till.Hold);
        Scenes.Till other = new();
        Held("other", other.Hold);
        Scenes.Ledger ledger = new();
        Held("ledger", ledger.Hold);
        SemaphoreSlim gate = new(1, 1);
        Held("variable", () => Scenes.HoldVariable(gate));
        Held("shared", Scenes.HoldShared);

        Scenes.Gone gone = new();
        NotHeld("gone", gone.Leave, gone.Enter);
        Scenes.Bell bell = new();
        NotHeld("bell", bell.Ring, bell.Serve);
        Scenes.Runner runner = new();
        NotHeld("runner", runner.Run, runner.Await);
        Scenes.Hall hall = new();
        Task sits = hall.SitAsync();
        NotHeld("hall", hall.Sit, hall.Sit);

        // The second comes when the first has entered, and is suspended.
        Scenes.Office office = new();
        Start("office-in", () => office.HoldAsync().GetAwaiter().GetResult());
        Task waits = office.WaitAsync();
        Console.WriteLine("flow=Office.WaitAsync thread=office-in");

        Scenes.Desk desk = new();
        Task reads = desk.ReadAsync();
        Task writes = desk.WriteAsync();
        Console.WriteLine("flow=Desk.WriteAsync by=Desk.ReadAsync variable=lamp");

        Stage.ReadyWhenAllWait([.. s_all]);
        GC.KeepAlive((sits, waits, reads, writes));
    }

    private static void Held(string name, ThreadStart hold)
    {
        Start($"{name}-in", hold);
        Start($"{name}-out", hold);
        Console.WriteLine($"waits={name}-out holder={name}-in");
    }

    private static void NotHeld(string name, ThreadStart first, ThreadStart second)
    {
        Start($"{name}-in", first);
        Start($"{name}-out", second);
        Console.WriteLine($"waits={name}-out holder=-");
    }

    private static void Start(string name, ThreadStart run)
    {
        Thread thread = Stage.Start(name, run);
        s_all.Add(thread);
        ThreadRest.Await(() => ThreadRest.IsAtRest(thread));
    }
}
