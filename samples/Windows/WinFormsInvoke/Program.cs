using System.Windows.Forms;
using Samples;

namespace WinFormsInvoke;

/// <summary>A worker invokes on a window's thread, which waits for the worker. See README.md.</summary>
internal static class Program
{
    private const int Looks = 50;

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
        for (int inARow = 0; inARow < Looks;)
        {
            inARow = form.Waiting is { Count: > 0 } threads && threads.All(ThreadRest.IsAtRest) ? inARow + 1 : 0;
            Thread.Sleep(1);
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
    }
}
