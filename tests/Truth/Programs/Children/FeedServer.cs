namespace Truth.Children;

/// <summary>Sends a message to each connection every 300 ms.</summary>
internal static class FeedServer
{
    public static void Run(string[] args) => Server.Run(args[0], connection =>
    {
        while (connection.Send("message\n"u8) > 0)
        {
            Thread.Sleep(300);
        }
    });
}
