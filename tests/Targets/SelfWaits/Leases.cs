namespace SelfWaits;

/// <summary>Locks whose entries are given back by disposing of what the method returned that has taken them.</summary>
internal static class Leases
{
    private static readonly TimeSpan s_long = TimeSpan.FromHours(1);

    /// <summary>Who has the pass comes to the gate again, two methods on.</summary>
    public static async Task PostAsync(Gate gate)
    {
        using Pass pass = await gate.EnterAsync();
        await MoveAsync(gate);
    }

    /// <summary>Who has given the pass back comes to the gate again, and somebody else has it.</summary>
    public static async Task PostInTurnAsync(SlotGate gate)
    {
        using (await gate.EnterSlotAsync())
        {
            await Task.Yield();
        }

        gate.Take();
        await MoveInTurnAsync(gate);
    }

    /// <summary>Who has the pass waits for something else, and another one for the pass.</summary>
    public static async Task HoldAsync(HallGate gate)
    {
        using Pass pass = await gate.EnterHallAsync();
        await RestAsync();
    }

    public static async Task WaitForHallAsync(HallGate gate)
    {
        using Pass pass = await gate.EnterHallAsync();
        await RestAsync();
    }

    /// <summary>The two are one.</summary>
    public static async Task EnterBothAsync(SemaphoreSlim first, SemaphoreSlim second)
    {
        await first.WaitAsync();
        await second.WaitAsync();
        second.Release();
        first.Release();
    }

    private static async Task MoveAsync(Gate gate)
    {
        using Pass pass = await gate.EnterAsync();
        await RestAsync();
    }

    private static async Task MoveInTurnAsync(SlotGate gate)
    {
        using Slot slot = await gate.EnterSlotAsync();
        await RestAsync();
    }

    private static async Task RestAsync()
    {
        await Task.Delay(s_long);
        GC.KeepAlive(s_long);
    }

    internal sealed class Gate : IDisposable
    {
        private readonly SemaphoreSlim _entry = new(1, 1);

        public void Dispose() => _entry.Dispose();

        public async ValueTask<Pass> EnterAsync()
        {
            await _entry.WaitAsync();
            return new Pass(() => _entry.Release(), _entry);
        }
    }

    internal sealed class HallGate : IDisposable
    {
        private readonly SemaphoreSlim _hall = new(1, 1);

        public void Dispose() => _hall.Dispose();

        public async Task<Pass> EnterHallAsync()
        {
            await _hall.WaitAsync();
            return new Pass(() => _hall.Release(), this);
        }
    }

    internal sealed class SlotGate : IDisposable
    {
        private readonly SemaphoreSlim _slots = new(1, 1);

        public void Dispose() => _slots.Dispose();

        public void Take() => _slots.Wait();

        public void Leave() => _slots.Release();

        public async Task<Slot> EnterSlotAsync()
        {
            await _slots.WaitAsync();
            return new Slot(this);
        }
    }

    internal sealed class Pass(Action leave, object gate) : IDisposable
    {
        public object Gate => gate;

        public void Dispose() => leave();
    }

    internal readonly struct Slot(SlotGate gate) : IDisposable
    {
        public void Dispose() => gate.Leave();
    }
}
