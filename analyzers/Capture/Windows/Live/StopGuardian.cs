namespace HangTriage.Capture.Windows.Live;

/// <summary>What the guardian does when the process that it guards has ended: it resumes the threads that this one left suspended.</summary>
public static class StopGuardian
{
    // A runtime suspends its own threads for microseconds: what is still suspended behind this is so for another reason.
    private static readonly TimeSpan s_calm = TimeSpan.FromMilliseconds(50);

    /// <returns>Threads that were resumed.</returns>
    public static int Release(StopJournal journal)
    {
        ArgumentNullException.ThrowIfNull(journal);
        int resumed = 0;
        bool isInDoubt = false;
        for (int i = 0; i < journal.Count && journal.Handle(i) != 0; i++)
        {
            if (journal[i] == StopState.Suspended)
            {
                Resume(journal, i);
                resumed++;
            }

            isInDoubt |= journal[i] is StopState.Suspending or StopState.Resuming;
        }

        return isInDoubt ? resumed + ReleaseInDoubt(journal) : resumed;
    }

    // The process was killed between the call and the note of it: only the thread's own count shows whether it took place.
    private static int ReleaseInDoubt(StopJournal journal)
    {
        Thread.Sleep(s_calm);
        int resumed = 0;
        for (int i = 0; i < journal.Count && journal.Handle(i) != 0; i++)
        {
            if (journal[i] is StopState.Suspending or StopState.Resuming && LiveThreads.SuspendCount((nint)journal.Handle(i)) > journal.Before(i))
            {
                Resume(journal, i);
                resumed++;
            }
        }

        return resumed;
    }

    private static void Resume(StopJournal journal, int entry)
    {
        _ = WindowsCalls.ResumeThread((nint)journal.Handle(entry));
        journal[entry] = StopState.Resumed;
    }
}
