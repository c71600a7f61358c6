using System.Diagnostics;
using Samples;

namespace ChildPipeFull;

/// <summary>Main waits for a child that waits for Main to read what it prints. See README.md.</summary>
internal static class Program
{
    private const string Child = "child";

    private static void Main(string[] arguments)
    {
        if (arguments is [Child])
        {
            Print();
            return;
        }

        Thread.CurrentThread.Name = "main";
        Convert();
    }

    private static void Convert()
    {
        ProcessStartInfo start = new(Environment.ProcessPath!, Child) { RedirectStandardOutput = true };
        using Process child = Process.Start(start)!;

        // What the child has printed by now fills the pipe: it never ends.
        KernelWait.Await(child);
        KernelWait.ReadyWhenCallerWaits();
        child.WaitForExit();
        Console.WriteLine(child.StandardOutput.ReadToEnd().Length);
    }

    // Far more than a pipe holds on any system. It ends when nobody can read it any more.
    private static void Print()
    {
        using Stream output = Console.OpenStandardOutput();
        output.Write(new byte[4 << 20]);
    }
}
