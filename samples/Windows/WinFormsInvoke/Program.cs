using System.Windows.Forms;
using Samples;

namespace WinFormsInvoke;

/// <summary>A worker invokes on a window's thread, which waits for the worker. See README.md.</summary>
internal static class Program
{
    [STAThread]
    private static void Main(string[] arguments)
    {
        Thread.CurrentThread.Name = "window";
        using MainForm form = new(arguments is [string how, ..] ? how : "lock");
        new Thread(() => Announce(form)) { Name = "announcer", IsBackground = true }.Start();
        Application.Run(form);
    }

    /// <summary>Says READY when both wait, look after look.</summary>
    private static void Announce(MainForm form)
    {
        ThreadRest.Await(() => form.Waiting is { Count: > 0 } threads && threads.All(ThreadRest.IsAtRest));
        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
    }
}
