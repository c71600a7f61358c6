using System.Globalization;
using BigHeap;
using Samples;

namespace BlockedService;

/// <summary>
/// BlockedService THREADS: so many threads of a service, which has run for a while, are blocked on a task each, beside 2 million objects.
/// </summary>
internal static class Program
{
    private const int Dictionaries = 50_000;
    private const int StackSize = 256 << 10;

    private static void Main(string[] args)
    {
        List<Holder> holders = [.. Enumerable.Range(0, Dictionaries).Select(number => new Holder(number))];
        Warmth.Up(AskAndAnswer);
        GC.Collect();
        Question[] questions = [.. Enumerable.Range(0, int.Parse(args[0], CultureInfo.InvariantCulture)).Select(way => new Question(way))];
        Thread[] threads = [.. questions.Select(Start)];
        ThreadRest.Await(() => Array.TrueForAll(threads, thread => thread.ThreadState.HasFlag(ThreadState.WaitSleepJoin)));
        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
        GC.KeepAlive(holders);
        GC.KeepAlive(questions);
    }

    private static Thread Start(Question question)
    {
        Thread thread = new(question.Ask, StackSize) { IsBackground = true };
        thread.Start();
        return thread;
    }

    private static void AskAndAnswer()
    {
        Question[] questions = [.. Enumerable.Range(0, Question.Ways).Select(way => new Question(way))];
        Thread[] threads = [.. questions.Select(Start)];
        Warmth.AwaitWaits(threads);
        Array.ForEach(questions, question => question.Answer());
        Warmth.Join(threads);
    }
}
