using System.Windows.Forms;
using Samples;

namespace WinFormsTaskResult;

/// <summary>A button's handler blocks on a task. See README.md.</summary>
internal static class Program
{
    [STAThread]
    private static void Main(string[] arguments)
    {
        using MainForm form = new(isSlow: arguments.Contains("slow"));
        new Thread(() => Announce(form)) { Name = "announcer", IsBackground = true }.Start();
        Application.Run(form);
    }

    /// <summary>Says READY when the handler is blocked and the task has got as far as it can.</summary>
    private static void Announce(MainForm form)
    {
        ThreadRest.Await(() => form.IsStuck);
        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
    }
}
