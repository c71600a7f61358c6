using Truth.Children;

namespace Truth.Healthy;

/// <summary>Main asks a server for changes again and again; each answer takes 20 s, and each request gives up after 100 s.</summary>
internal static class FollowChanges
{
    public static async Task RunAsync()
    {
        using HttpClient client = new() { BaseAddress = new Uri($"http://127.0.0.1:{Child.StartServer("child-http", "20000")}") };
        bool hasAsked = false;
        Ready.WhenStill(() => Volatile.Read(ref hasAsked));
        Volatile.Write(ref hasAsked, true);
        await FollowAsync(client);
    }

    private static async Task FollowAsync(HttpClient client)
    {
        while (true)
        {
            try
            {
                Console.WriteLine((await client.GetStringAsync("/changes?wait=20")).Length);
            }
            catch (TaskCanceledException)
            {
                Console.WriteLine("no change");
            }
        }
    }
}
