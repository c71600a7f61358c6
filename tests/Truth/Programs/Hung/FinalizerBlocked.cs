using System.Runtime.CompilerServices;

namespace Truth.Hung;

/// <summary>A finalizer waits for an event that a thread, long ended, would have set; the first thread waits for finalizers.</summary>
internal static class FinalizerBlocked
{
    private static volatile bool s_isFinalizing;

    public static void Run()
    {
        Use();
        Ready.WhenAtRest(() => s_isFinalizing, Thread.CurrentThread);
        Trim();
    }

    private static void Trim()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Use()
    {
        for (int i = 0; i < 3; i++)
        {
            new NativeSession().Open();
        }
    }

    private sealed class NativeSession
    {
        private readonly ManualResetEventSlim _closed = new();
        private bool _isOpen;

        ~NativeSession()
        {
            s_isFinalizing = true;
            if (_isOpen)
            {
                _closed.Wait();
            }
        }

        public void Open()
        {
            Thread session = new(() => _isOpen = true) { Name = "session" };
            session.Start();
            session.Join();
        }
    }
}
