namespace Truth.Hung;

/// <summary>
/// A thread tries to open a store, swallows what that throws, naps and tries again; nothing ever opens it, and Main joins the thread.
/// </summary>
internal static class RetryInPlace
{
    private static int s_tries;
    private static string s_state = "closed";

    public static void Run()
    {
        Thread opener = new(static () => OpenAtLast()) { Name = "opener", IsBackground = true };
        opener.Start();
        Ready.WhenAtRest(() => Volatile.Read(ref s_tries) > 1, Thread.CurrentThread);
        opener.Join();
    }

    private static void OpenAtLast()
    {
        while (true)
        {
            bool isOpen = false;
            try
            {
                Open();
                isOpen = true;
            }
            catch (InvalidOperationException)
            {
                Interlocked.Increment(ref s_tries);
            }

            if (isOpen)
            {
                return;
            }

            Thread.Sleep(50);
        }
    }

    private static void Open()
    {
        if (s_state != "open")
        {
            throw new InvalidOperationException(s_state);
        }
    }
}
