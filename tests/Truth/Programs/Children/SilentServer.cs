namespace Truth.Children;

/// <summary>Reads all that comes and answers nothing.</summary>
internal static class SilentServer
{
    public static void Run(string[] args) => Server.Run(args[0], connection =>
    {
        byte[] buffer = new byte[4096];
        while (connection.Receive(buffer) > 0)
        {
        }
    });
}
