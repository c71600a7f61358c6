using System.Collections.Concurrent;
using Samples;

namespace PoolStarvation;

/// <summary>Answers questions, on a thread of its own that is not the pool's.</summary>
internal sealed class Device
{
    private readonly BlockingCollection<Question> _questions = [];
    private volatile int _answered;

    public int Answered => _answered;

    public Task<int> AskAsync()
    {
        Question question = new(Thread.CurrentThread, new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously));
        _questions.Add(question);
        return question.Answer.Task;
    }

    public void Run()
    {
        foreach (Question question in _questions.GetConsumingEnumerable())
        {
            // Whoever asks must have come to its wait; before that nothing but the pool's own queue would be in the way.
            while (!ThreadRest.IsAtRest(question.Asker))
            {
                Thread.Yield();
            }

            question.Answer.SetResult(42);
            _answered++;
        }
    }
}
