using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using Samples;

namespace SlowRuntime;

/// <summary>A plug-in, which is this assembly once more, is to be unloaded, and works on.</summary>
public static class Unloading
{
    private static volatile bool s_hasBegun;

    public static bool HasBegun => s_hasBegun;

    // It collects nothing: a dump in the middle of a collection has no heap to read.
    public static void Await()
    {
        WeakReference context = Use();
        s_hasBegun = true;
        while (context.IsAlive)
        {
            Thread.Sleep(10);
        }
    }

    public static void Work()
    {
        while (Environment.TickCount64 > 0)
        {
            Thread.Sleep(5);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Use()
    {
        AssemblyLoadContext context = new("plug-in", isCollectible: true);
        Type plugin = context.LoadFromAssemblyPath(typeof(Unloading).Assembly.Location).GetType(typeof(Unloading).FullName!)!;
        Stage.Start("plug-in", plugin.GetMethod(nameof(Work))!.CreateDelegate<ThreadStart>());
        context.Unload();
        return new WeakReference(context);
    }
}
