using HangTriage.Capture.Linux.Live;

namespace HangTriage.Cli.Running;

/// <summary>Ends the processes below this one: politely, then not. Build servers stay.</summary>
internal static class TreeEnd
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(50);

    public static void Run()
    {
        foreach (int process in Living())
        {
            _ = SystemCalls.Signal(process, SystemCalls.Terminate);
        }

        for (TimeSpan waited = TimeSpan.Zero; waited < s_patience && Living().Count > 0; waited += s_look)
        {
            Thread.Sleep(s_look);
        }

        // One that starts others meanwhile is met again.
        for (int i = 0; i < 10 && Living() is { Count: > 0 } left; i++)
        {
            foreach (int process in left)
            {
                _ = SystemCalls.Signal(process, SystemCalls.Kill);
            }

            Thread.Sleep(s_look);
        }
    }

    private static List<int> Living() => [.. ProcessTree.Below(Environment.ProcessId).Where(id => ProcessTable.Find(id) is { } process && !TreeJudge.IsServer(process))];
}
