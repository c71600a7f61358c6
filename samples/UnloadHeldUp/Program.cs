using System.Runtime.CompilerServices;
using Samples;

namespace UnloadHeldUp;

/// <summary>A thread waits until a load context is unloaded, and a list still has an object of it. See README.md.</summary>
internal static class Program
{
    private static readonly List<object> s_reports = [];

    private static void Main() => Stage.ReadyWhenAllWait(Stage.Start("host", Reload));

    private static void Reload()
    {
        WeakReference context = Use();
        while (context.IsAlive)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            Thread.Sleep(1_000);
        }
    }

    // Not inlined: a variable of the method that waits would keep the context, too.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Use()
    {
        PluginContext context = new();
        Type report = context.LoadFromAssemblyPath(typeof(Program).Assembly.Location).GetType(typeof(Report).FullName!)!;
        s_reports.Add(Activator.CreateInstance(report)!);
        context.Unload();
        return new WeakReference(context);
    }
}
