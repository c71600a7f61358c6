namespace Truth.Hung;

/// <summary>Main waits for an answer under the lock that the clerk wants before it answers.</summary>
internal static class AnswerUnderLock
{
    private static readonly object s_desk = new();
    private static readonly AutoResetEvent s_answered = new(false);

    public static void Run()
    {
        Thread clerk = new(Answer) { Name = "clerk" };
        Ready.WhenAtRest(() => true, Thread.CurrentThread, clerk);
        Ask(clerk);
    }

    private static void Ask(Thread clerk)
    {
        lock (s_desk)
        {
            clerk.Start();
            s_answered.WaitOne();
        }
    }

    private static void Answer()
    {
        lock (s_desk)
        {
            s_answered.Set();
        }
    }
}
