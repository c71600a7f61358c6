using System.Collections.Concurrent;

namespace Truth.Hung;

/// <summary>
/// Main awaits a method that awaits a reply, which the handler that was to bring it has refused; a timer looks at what is open.
/// </summary>
internal static class ReplyOfNobody
{
    public static async Task RunAsync()
    {
        ReplyBook book = new();
        using Timer watch = new(_ => GC.KeepAlive(book.Open), null, 20, 20);
        Ready.When(() => book.Open == 1);
        Console.WriteLine(await new SeatDesk(book).HoldAsync("Faust"));
    }

    private sealed class ReplyBook
    {
        private readonly ConcurrentDictionary<int, TaskCompletionSource<string>> _open = new();

        public int Open => _open.Count;

        public Task<string> Ask(int number)
            => _open.GetOrAdd(number, _ => new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously)).Task;

        public void Answer(int number, string seat)
        {
            if (_open.TryRemove(number, out TaskCompletionSource<string>? asked))
            {
                asked.TrySetResult(seat);
            }
        }
    }

    private sealed class SeatDesk(ReplyBook book)
    {
        public async Task<string> HoldAsync(string show)
        {
            Task<string> seat = book.Ask(7);
            await Task.Run(() => Place(7, show));
            return await seat;
        }

        private void Place(int number, string show)
        {
            if (show.Length > 20)
            {
                book.Answer(number, "12");
            }
        }
    }
}
