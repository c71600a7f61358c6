using System.Reflection;
using System.Runtime.Loader;
using Samples;

namespace ModuleInitializerWait;

/// <summary>The initializer of a plug-in's module waits for a thread that needs the module. See README.md.</summary>
internal static class Program
{
    private static readonly List<uint> s_started = [];

    /// <summary>Called by the plug-in, which is this assembly once more: starts a thread there and notes its id.</summary>
    public static Thread Start(string name, ThreadStart run) => Stage.Start(name, () =>
    {
        lock (s_started)
        {
            s_started.Add(NativeThreadId.Current);
        }

        run();
    });

    private static void Main()
    {
        Assembly plugin = new AssemblyLoadContext("plug-in").LoadFromAssemblyPath(typeof(Program).Assembly.Location);
        Start("starter", () => plugin.GetType(typeof(Plugin).FullName!)!.GetMethod(nameof(Plugin.Use))!.Invoke(null, null));
        for (int index = 0; index < 2; index++)
        {
            KernelWait.Await(Started(index));
        }

        Stage.Ready();
    }

    private static uint Started(int index)
    {
        while (true)
        {
            lock (s_started)
            {
                if (s_started.Count > index)
                {
                    return s_started[index];
                }
            }

            Thread.Yield();
        }
    }
}
