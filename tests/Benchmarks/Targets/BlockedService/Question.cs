namespace BlockedService;

/// <summary>A question that a thread blocks on, in one of the ways in which threads block on tasks.</summary>
internal sealed class Question(int way)
{
    public const int Ways = 4;

    private readonly TaskCompletionSource<int> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public void Ask()
    {
        switch (way % Ways)
        {
            case 0:
                _ = FetchAsync().Result;
                break;
            case 1:
                _ = FetchAsync().GetAwaiter().GetResult();
                break;
            case 2:
                FetchAsync().Wait();
                break;
            default:
                Task.WaitAll(FetchAsync(), FetchAsync());
                break;
        }
    }

    public void Answer() => _answer.SetResult(1);

    private async Task<int> FetchAsync() => 1 + await _answer.Task;
}
