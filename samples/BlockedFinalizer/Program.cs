using System.Runtime.CompilerServices;
using Samples;

namespace BlockedFinalizer;

/// <summary>A thread waits for finalizers under a lock that a finalizer takes. See README.md.</summary>
internal static class Program
{
    private static volatile Thread? s_finalizer;

    public static Thread? Finalizer
    {
        set => s_finalizer = value;
    }

    private static void Main()
    {
        Thread trimmer = Stage.Start("trimmer", Trim);
        while (s_finalizer is null)
        {
            Thread.Yield();
        }

        Stage.ReadyWhenAllWait(s_finalizer, trimmer);
    }

    private static void Trim()
    {
        lock (Session.Open)
        {
            OpenSome();
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void OpenSome()
    {
        for (int number = 0; number < 10; number++)
        {
            _ = new Session(number);
        }
    }
}
