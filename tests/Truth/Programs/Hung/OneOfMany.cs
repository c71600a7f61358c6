using System.Collections.Concurrent;

namespace Truth.Hung;

/// <summary>
/// Three desks send jobs and wait until each is confirmed. What cannot be read is taken out of the table and confirmed to nobody: one desk
/// waits for ever, and the two others go on.
/// </summary>
internal static class OneOfMany
{
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(200);

    public static async Task RunAsync()
    {
        Board board = new();
        Desk[] desks = [new("north", board), new("west", board), new("harbour", board)];
        Task[] all = [.. desks.Select(desk => desk.RunAsync()), board.ConfirmAllAsync()];
        Ready.When(() => board.Refused == 1 && desks[0].Done > 3);
        await await Task.WhenAny(all);
    }

    private sealed class Desk(string district, Board board)
    {
        private int _done;

        public int Done => Volatile.Read(ref _done);

        public async Task RunAsync()
        {
            for (int job = 0; ; job++)
            {
                if (await board.AssignAsync($"{district}-{job}"))
                {
                    Interlocked.Increment(ref _done);
                }
            }
        }
    }

    private sealed class Board
    {
        private readonly ConcurrentDictionary<string, TaskCompletionSource<bool>> _unconfirmed = new();
        private readonly ConcurrentQueue<string> _sent = new();
        private int _refused;

        public int Refused => Volatile.Read(ref _refused);

        public async Task<bool> AssignAsync(string job)
        {
            TaskCompletionSource<bool> confirmation = new(TaskCreationOptions.RunContinuationsAsynchronously);
            _unconfirmed[job] = confirmation;
            _sent.Enqueue(job);
            return await confirmation.Task;
        }

        public async Task ConfirmAllAsync()
        {
            while (true)
            {
                await Task.Delay(s_pause);
                while (_sent.TryDequeue(out string? job))
                {
                    Confirm(job);
                }
            }
        }

        private void Confirm(string job)
        {
            if (!_unconfirmed.TryRemove(job, out TaskCompletionSource<bool>? confirmation))
            {
                return;
            }

            try
            {
                confirmation.SetResult(Read(job) >= 0);
            }
            catch (FormatException)
            {
                Interlocked.Increment(ref _refused);
            }
        }

        private static int Read(string job) => job == "harbour-2" ? throw new FormatException() : job.Length;
    }
}
