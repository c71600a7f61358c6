namespace Truth.Healthy;

/// <summary>Three lanes meet at a barrier again and again; the slowest has work before each step.</summary>
internal static class LanesInStep
{
    private static readonly Barrier s_step = new(3);

    public static void Run()
    {
        Thread[] lanes = [.. Enumerable.Range(0, 3).Select(lane => new Thread(() => Drive(lane)) { Name = $"lane-{lane}" })];
        Array.ForEach(lanes, lane => lane.Start());
        Ready.When(() => s_step.CurrentPhaseNumber > 0);
        Array.ForEach(lanes, lane => lane.Join());
    }

    private static void Drive(int lane)
    {
        while (true)
        {
            Thread.Sleep(lane == 2 ? 400 : 1);
            s_step.SignalAndWait();
        }
    }
}
