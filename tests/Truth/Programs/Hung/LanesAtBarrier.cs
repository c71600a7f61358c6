namespace Truth.Hung;

/// <summary>Three lanes meet at a barrier, of which one has nothing to do and returns before; Main joins them.</summary>
internal static class LanesAtBarrier
{
    private static readonly Barrier s_step = new(3);

    public static void Run()
    {
        Thread[] lanes = [.. Enumerable.Range(0, 3).Select(lane => new Thread(() => Drive(lane)) { Name = $"lane-{lane}" })];
        Ready.WhenAtRest(() => s_step.ParticipantsRemaining == 1, [Thread.CurrentThread, lanes[0], lanes[2]]);
        Array.ForEach(lanes, lane => lane.Start());
        Array.ForEach(lanes, lane => lane.Join());
    }

    private static void Drive(int lane)
    {
        if (lane != 1)
        {
            s_step.SignalAndWait();
            Console.WriteLine($"lane {lane} has passed");
        }
    }
}
