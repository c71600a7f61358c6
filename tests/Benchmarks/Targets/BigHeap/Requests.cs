namespace BigHeap;

/// <summary>Async methods of a few kinds that wait, each for an answer of its own.</summary>
internal static class Requests
{
    private static readonly Dictionary<int, TaskCompletionSource<int>> s_answers = [];

    public static IReadOnlyList<Task> Start(int count) => [.. Enumerable.Range(0, count).Select(number => (number % 3) switch
    {
        0 => Read(number),
        1 => Write(number),
        _ => Both(number),
    })];

    private static async Task<int> Read(int number) => await Answer(number);

    private static async Task Write(int number)
    {
        int written = await Answer(number);
        await Task.Delay(written);
    }

    private static async Task Both(int number)
    {
        await Read(number);
        await Write(number + 1);
    }

    private static Task<int> Answer(int number)
    {
        TaskCompletionSource<int> answer = new();
        s_answers[number] = answer;
        return answer.Task;
    }
}
