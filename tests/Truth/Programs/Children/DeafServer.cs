namespace Truth.Children;

/// <summary>Takes connections and never reads: the sender's buffers fill up.</summary>
internal static class DeafServer
{
    public static void Run(string[] args) => Server.Run(args[0], _ => Thread.Sleep(Timeout.Infinite));
}
