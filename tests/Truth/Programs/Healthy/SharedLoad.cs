namespace Truth.Healthy;

/// <summary>Five methods await one load, which takes a minute.</summary>
internal static class SharedLoad
{
    public static async Task RunAsync()
    {
        Lazy<Task<int>> load = new(LoadAsync);
        Task<int>[] users = [.. Enumerable.Range(1, 5).Select(number => UseAsync(load, number))];
        Ready.WhenStill(() => load.IsValueCreated);
        Console.WriteLine((await Task.WhenAll(users)).Sum());
    }

    private static async Task<int> LoadAsync()
    {
        await Task.Delay(TimeSpan.FromMinutes(1));
        return 1;
    }

    private static async Task<int> UseAsync(Lazy<Task<int>> load, int number) => await load.Value * number;
}
