using System.Collections.Concurrent;
using Samples;

namespace WorkInHand;

/// <summary>
/// Promises that are waited for, and beside each somebody who pauses for an hour: in the middle of the work that keeps it, or in a loop
/// that may never do so. Each is printed with who has the work in hand: the name of a thread, an async method, or "-".
/// </summary>
internal static partial class Program
{
    private static readonly TimeSpan s_long = TimeSpan.FromHours(1);
    private static readonly List<object> s_kept = [];
    private static readonly List<Thread> s_threads = [];

    private static void Main()
    {
        Threads();
        Flows();
        Bearers();
        Stage.ReadyWhenAllWait([.. s_threads]);
    }

    private static void Threads()
    {
        CounterDesk counter = new();
        Start("counter", counter.Run);
        Expect("AskCounterAsync", "counter", AskCounterAsync(counter));

        WrongDesk wrong = new();
        Start("wrong", wrong.Run);
        Expect("AskWrongAsync", "-", AskWrongAsync(wrong));

        PollDesk poll = new();
        Start("poll", poll.Run);
        Expect("AskPollAsync", "-", AskPollAsync(poll));

        LaterDesk later = new();
        Start("later", later.Run);
        Expect("AskLaterAsync", "-", AskLaterAsync(later));

        DrainDesk drain = new();
        Start("drain", drain.Run);
        Expect("AskDrainAsync", "drain", AskDrainAsync(drain));

        BellDesk bell = new();
        Start("bell", bell.Run);
        Expect("AskBellAsync", "bell", AskBellAsync(bell));

        DoorDesk door = new();
        Start("door", door.Run);
        Expect("AskDoorAsync", "-", AskDoorAsync(door));

        StopDesk stop = new();
        Start("stop", stop.Run);
        Expect("AskStopAsync", "-", AskStopAsync(stop));

        RelayDesk relay = new();
        Start("relay", relay.Run);
        Start("pump", relay.Pump);
        Expect("AskRelayAsync", "relay", AskRelayAsync(relay));
    }

    private static async Task AskCounterAsync(CounterDesk desk)
    {
        TaskCompletionSource<int> answer = new();
        desk.Open[17] = answer;
        desk.Requests.Add(new Request(17));
        s_kept.Add(await answer.Task);
    }

    private static async Task AskWrongAsync(WrongDesk desk)
    {
        TaskCompletionSource<long> answer = new();
        desk.Open[18] = answer;
        desk.Requests.Add(new Request(81));
        s_kept.Add(await answer.Task);
    }

    private static async Task AskPollAsync(PollDesk desk)
    {
        desk.Answer = new TaskCompletionSource<double>();
        s_kept.Add(await desk.Answer.Task);
    }

    private static async Task AskLaterAsync(LaterDesk desk)
    {
        desk.Answer = new TaskCompletionSource<decimal>();
        s_kept.Add(await desk.Answer.Task);
    }

    private static async Task AskDrainAsync(DrainDesk desk)
    {
        desk.Requests.Add(new Request(1));
        desk.Requests.Add(new Request(2));
        desk.Requests.CompleteAdding();
        s_kept.Add(await desk.All.Task);
    }

    private static async Task AskBellAsync(BellDesk desk)
    {
        desk.Answer = new TaskCompletionSource<byte>();
        s_kept.Add(await desk.Answer.Task);
    }

    private static async Task AskDoorAsync(DoorDesk desk)
    {
        desk.Answer = new TaskCompletionSource<char>();
        s_kept.Add(await desk.Answer.Task);
    }

    private static async Task AskStopAsync(StopDesk desk)
    {
        desk.Answer = new TaskCompletionSource<DateTime>();
        s_kept.Add(await desk.Answer.Task);
    }

    private static async Task AskRelayAsync(RelayDesk desk)
    {
        TaskCompletionSource<short> answer = new();
        desk.Open[19] = answer;
        desk.Requests.Add(new Request(19));
        s_kept.Add(await answer.Task);
    }

    private static void Start(string name, ThreadStart run) => s_threads.Add(Stage.Start(name, run));

    private static void Expect(string method, string by, Task flow)
    {
        s_kept.Add(flow);
        Console.WriteLine($"waits={method} hand={by}");
    }
}
