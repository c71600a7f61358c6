namespace Truth.Hung;

/// <summary>Three slots are taken by comparing and exchanging a count, with a pause between two tries. Each failure loses one; after the third nobody comes in.</summary>
internal static class SlotsLost
{
    private static int s_failed;

    public static async Task RunAsync()
    {
        RenderSlots slots = new();
        Ready.When(() => s_failed == RenderSlots.Most && slots.Waiting == 1);
        for (int document = 1; ; document++)
        {
            try
            {
                await RenderAsync(slots, document);
            }
            catch (FileNotFoundException)
            {
                s_failed++;
            }
        }
    }

    private static async Task RenderAsync(RenderSlots slots, int document)
    {
        await slots.EnterAsync();
        await Task.Delay(10);
        if (document % 3 == 0)
        {
            throw new FileNotFoundException($"template {document}");
        }

        slots.Leave();
    }

    private sealed class RenderSlots
    {
        public const int Most = 3;

        private int _inside;
        private int _waiting;

        public int Waiting => Volatile.Read(ref _waiting);

        public async Task EnterAsync()
        {
            Interlocked.Increment(ref _waiting);
            while (true)
            {
                int inside = Volatile.Read(ref _inside);
                if (inside < Most && Interlocked.CompareExchange(ref _inside, inside + 1, inside) == inside)
                {
                    break;
                }

                await Task.Delay(25);
            }

            Interlocked.Decrement(ref _waiting);
        }

        public void Leave() => Interlocked.Decrement(ref _inside);
    }
}
