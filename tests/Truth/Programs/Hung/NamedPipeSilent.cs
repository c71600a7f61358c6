using System.IO.Pipes;
using Truth.Children;

namespace Truth.Hung;

/// <summary>The client of a named pipe has asked, and reads an answer that the other process does not give.</summary>
internal static class NamedPipeSilent
{
    public static void Run()
    {
        string name = $"truth-{Environment.ProcessId}";
        Child.StartAndAwait("child-pipe", name);
        using NamedPipeClientStream pipe = new(".", name, PipeDirection.InOut);
        pipe.Connect();
        Ready.When(() => Volatile.Read(ref s_asked) && KernelSleep.Of("agent"));
        s_agent = new Thread(() => AskStatus(pipe)) { Name = "agent" };
        s_agent.Start();
        s_agent.Join();
    }

    private static Thread? s_agent;
    private static bool s_asked;

    private static void AskStatus(NamedPipeClientStream pipe)
    {
        using StreamWriter writer = new(pipe, leaveOpen: true);
        using StreamReader reader = new(pipe, leaveOpen: true);
        writer.WriteLine("status?");
        writer.Flush();
        Volatile.Write(ref s_asked, true);
        Console.WriteLine(reader.ReadLine());
    }
}
