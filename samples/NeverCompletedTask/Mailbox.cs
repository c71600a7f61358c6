using Samples;

namespace NeverCompletedTask;

/// <summary>Promises answers and forgets whom it promised them to.</summary>
internal sealed class Mailbox
{
    private int _asked;

    public int Asked => Volatile.Read(ref _asked);

    /// <summary>Gives each answer when whoever asked waits for it, instead of forgetting it.</summary>
    public bool IsOpen { get; set; }

    public Task<string> AskAsync(string question)
    {
        TaskCompletionSource<string> answer = new();
        if (question.Length == 0)
        {
            answer.SetResult(string.Empty);
        }

        if (IsOpen)
        {
            Answer(Thread.CurrentThread, answer);
            return answer.Task;
        }

        Interlocked.Increment(ref _asked);
        return answer.Task;
    }

    private static void Answer(Thread asker, TaskCompletionSource<string> answer)
        => ThreadPool.QueueUserWorkItem(_ =>
        {
            Warmth.AwaitWaits(asker);
            answer.SetResult("it is");
        });
}
