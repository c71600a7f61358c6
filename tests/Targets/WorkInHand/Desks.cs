using System.Collections.Concurrent;

namespace WorkInHand;

internal sealed record Request(int Number);

// It has taken the request and will look for its promise.
internal sealed class CounterDesk
{
    public BlockingCollection<Request> Requests { get; } = [];

    public ConcurrentDictionary<int, TaskCompletionSource<int>> Open { get; } = new();

    public void Run()
    {
        foreach (Request request in Requests.GetConsumingEnumerable())
        {
            Thread.Sleep(TimeSpan.FromHours(1));
            if (Open.TryRemove(request.Number, out TaskCompletionSource<int>? answer))
            {
                answer.TrySetResult(request.Number);
            }
        }
    }
}

// The request that it has taken is another one's.
internal sealed class WrongDesk
{
    public BlockingCollection<Request> Requests { get; } = [];

    public ConcurrentDictionary<int, TaskCompletionSource<long>> Open { get; } = new();

    public void Run()
    {
        foreach (Request request in Requests.GetConsumingEnumerable())
        {
            Thread.Sleep(TimeSpan.FromHours(1));
            if (Open.TryRemove(request.Number, out TaskCompletionSource<long>? answer))
            {
                answer.TrySetResult(request.Number);
            }
        }
    }
}

// It pauses between two looks, and has nothing in hand.
internal sealed class PollDesk
{
    private volatile bool _isDone;

    public TaskCompletionSource<double>? Answer { get; set; }

    public void Run()
    {
        while (true)
        {
            Thread.Sleep(TimeSpan.FromHours(1));
            if (_isDone)
            {
                Answer?.TrySetResult(1);
            }
        }
    }

    public void Finish() => _isDone = true;
}

// It gives one in each round, until it is told to stop.
internal sealed class BellDesk
{
    private volatile bool _isClosed;

    public TaskCompletionSource<byte> Answer { get; set; } = new();

    public void Run()
    {
        while (!_isClosed)
        {
            Thread.Sleep(TimeSpan.FromHours(1));
            Answer.TrySetResult(1);
        }
    }

    public void Close() => _isClosed = true;
}

// It pauses by a wait for the order to end.
internal sealed class StopDesk
{
    private volatile bool _isDone;

    public ManualResetEventSlim Stop { get; } = new();

    public TaskCompletionSource<DateTime> Answer { get; set; } = new();

    public void Run()
    {
        while (!Stop.Wait(TimeSpan.FromHours(1)))
        {
            if (_isDone)
            {
                Answer.TrySetResult(DateTime.UnixEpoch);
            }
        }
    }

    public void Finish() => _isDone = true;
}

// In each round it waits for somebody first.
internal sealed class DoorDesk
{
    public ManualResetEventSlim Rung { get; } = new();

    public TaskCompletionSource<char> Answer { get; set; } = new();

    public void Run()
    {
        while (true)
        {
            Thread.Sleep(TimeSpan.FromHours(1));
            Rung.Wait();
            Answer.TrySetResult('a');
        }
    }
}

// Behind its pause it takes the next first.
internal sealed class LaterDesk
{
    private readonly BlockingCollection<Request> _requests = [new Request(1), new Request(2)];

    public TaskCompletionSource<decimal>? Answer { get; set; }

    public void Run()
    {
        while (true)
        {
            Request request = _requests.Take();
            if (request.Number > 1)
            {
                Answer?.TrySetResult(request.Number);
            }

            Thread.Sleep(TimeSpan.FromHours(1));
        }
    }
}

// It says when it has worked on all of them.
internal sealed class DrainDesk
{
    public BlockingCollection<Request> Requests { get; } = [];

    public TaskCompletionSource<uint> All { get; } = new();

    public void Run()
    {
        uint count = 0;
        foreach (Request request in Requests.GetConsumingEnumerable())
        {
            Thread.Sleep(TimeSpan.FromHours(request.Number));
            count++;
        }

        All.TrySetResult(count);
    }
}

// Who has the request hands the answer on to another thread, which looks for the promise.
internal sealed class RelayDesk
{
    private readonly BlockingCollection<string> _answers = [];

    public BlockingCollection<Request> Requests { get; } = [];

    public ConcurrentDictionary<int, TaskCompletionSource<short>> Open { get; } = new();

    public void Run()
    {
        foreach (Request request in Requests.GetConsumingEnumerable())
        {
            Thread.Sleep(TimeSpan.FromHours(1));
            _answers.Add($"{request.Number}");
        }
    }

    public void Pump()
    {
        foreach (string answer in _answers.GetConsumingEnumerable())
        {
            if (Open.TryRemove(int.Parse(answer, System.Globalization.CultureInfo.InvariantCulture), out TaskCompletionSource<short>? open))
            {
                open.TrySetResult(1);
            }
        }
    }
}
