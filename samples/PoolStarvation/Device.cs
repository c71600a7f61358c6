using System.Collections.Concurrent;

namespace PoolStarvation;

/// <summary>Answers questions at once, on a thread of its own that is not the pool's.</summary>
internal sealed class Device
{
    private readonly BlockingCollection<TaskCompletionSource<int>> _questions = [];
    private volatile int _answered;

    public int Answered => _answered;

    public Task<int> AskAsync()
    {
        TaskCompletionSource<int> answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
        _questions.Add(answer);
        return answer.Task;
    }

    public void Run()
    {
        foreach (TaskCompletionSource<int> question in _questions.GetConsumingEnumerable())
        {
            // Who asks must have come to its wait; until then nothing but the pool's own queue would be in the way.
            Thread.Sleep(200);
            question.SetResult(42);
            _answered++;
        }
    }
}
