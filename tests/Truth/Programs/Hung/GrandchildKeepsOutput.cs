using System.Diagnostics;

namespace Truth.Hung;

/// <summary>A child starts a process of its own and exits; that one has inherited the output which Main reads to its end.</summary>
internal static class GrandchildKeepsOutput
{
    private static volatile bool s_hasExited;

    public static void Run()
    {
        Ready.When(() => s_hasExited);
        StartAgent();
    }

    private static void StartAgent()
    {
        using Process agent = new()
        {
            StartInfo = new ProcessStartInfo("sh", ["-c", "sleep 300 & echo started"]) { RedirectStandardOutput = true },
            EnableRaisingEvents = true,
        };
        agent.Exited += (_, _) => s_hasExited = true;
        agent.OutputDataReceived += (_, line) => Console.Error.WriteLine(line.Data);
        agent.Start();
        agent.BeginOutputReadLine();
        agent.WaitForExit();
    }
}
