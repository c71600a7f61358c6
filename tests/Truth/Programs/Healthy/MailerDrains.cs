namespace Truth.Healthy;

/// <summary>Main stops a mailer, which sends what it has: its work was begun with Task.Run, whose task does not know it.</summary>
internal static class MailerDrains
{
    public static async Task RunAsync()
    {
        Mailer mailer = new();
        Ready.WhenStill(() => mailer.Sent > 1);
        await mailer.StopAsync();
    }

    private sealed class Mailer
    {
        private const int Letters = 500;

        private readonly Task _work;
        private int _sent;

        public Mailer() => _work = Task.Run(SendAllAsync);

        public int Sent => Volatile.Read(ref _sent);

        public async Task StopAsync() => await _work;

        private async Task SendAllAsync()
        {
            for (int letter = 0; letter < Letters; letter++)
            {
                await Task.Delay(_sent < 2 ? TimeSpan.FromMilliseconds(1) : TimeSpan.FromSeconds(5));
                Interlocked.Increment(ref _sent);
            }
        }
    }
}
