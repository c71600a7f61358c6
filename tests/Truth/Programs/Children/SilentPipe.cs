using System.IO.Pipes;

namespace Truth.Children;

/// <summary>Takes one client of a named pipe, reads what it says, and answers nothing.</summary>
internal static class SilentPipe
{
    /// <param name="args">The pipe, and the file that says that it is there.</param>
    public static void Run(string[] args)
    {
        using NamedPipeServerStream pipe = new(args[0], PipeDirection.InOut);
        Child.Say(args[1], "listening");
        pipe.WaitForConnection();
        byte[] buffer = new byte[4096];
        while (pipe.Read(buffer) > 0)
        {
        }
    }
}
