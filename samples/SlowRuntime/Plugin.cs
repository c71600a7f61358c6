using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

namespace SlowRuntime;

/// <summary>A module whose initializer takes long, and makes progress.</summary>
public static class Plugin
{
    private static int s_steps;

    public static int Steps => Volatile.Read(ref s_steps);

    /// <summary>Loads this assembly once more, as a plug-in, whose initializer runs when the method is first made ready to be called.</summary>
    public static MethodInfo Load()
        => new AssemblyLoadContext("slow plug-in").LoadFromAssemblyPath(typeof(Plugin).Assembly.Location).GetType(typeof(Plugin).FullName!)!.GetMethod(nameof(Use))!;

    public static void Use() => Console.WriteLine("used");

    /// <summary>Called by the plug-in's initializer, which is in another load context, with each of its steps.</summary>
    public static void Step() => Interlocked.Increment(ref s_steps);

    [ModuleInitializer]
    internal static void Initialize()
    {
        // The program itself has this initializer, too, and the plug-in that is to be unloaded.
        if (AssemblyLoadContext.GetLoadContext(typeof(Plugin).Assembly)?.Name != "slow plug-in")
        {
            return;
        }

        Action step = Assembly.GetEntryAssembly()!.GetType(typeof(Plugin).FullName!)!.GetMethod(nameof(Step))!.CreateDelegate<Action>();
        while (Environment.TickCount64 > 0)
        {
            Thread.Sleep(5);
            step();
        }
    }
}
