using HangTriage.Facts;

namespace HangTriage.Rules.Threads;

/// <summary>
/// The load that the parallel loader works off, as if it were a lock: whoever loads, unloads, starts or ends a thread
/// waits until its owner is done. The environment blocks say who that is; nothing else does.
/// </summary>
internal static class LoadInProgress
{
    /// <summary>
    /// Null where no environment block tells of load owners (before Windows 10, on Wine). The owner is a gap where no
    /// thread says that it is the one, or several do.
    /// </summary>
    public static LockFacts? Of(ProcessSnapshot snapshot)
    {
        if (snapshot.Windows is not { } windows
            || !windows.Peb.TryGet(out Address peb)
            || !snapshot.Threads.TryGet(out IReadOnlyList<ThreadFacts>? threads))
        {
            return null;
        }

        (ThreadId Thread, Known<bool> Flag)[] flags = [.. threads.Select(thread => (thread.OsId, Flag(thread))).Where(pair => pair.Item2.HasValue)];
        if (flags.Length == 0)
        {
            return null;
        }

        (ThreadId Thread, Known<bool> Flag)[] owners = [.. flags.Where(pair => pair.Flag.Value)];
        bool isOwned = owners.Length > 0 || threads.Any(thread => LoaderWait.Of(thread) is { IsOnLock: false });
        string whyNot = owners.Length > 1 ? "several threads are marked as its owner"
            : flags.Length < threads.Count ? "the mark of the owner is not known for every thread, and none of the others has it"
            : "no thread is marked as its owner";
        return new LockFacts
        {
            Id = new LockId(LockKind.LoadInProgress, peb),
            Name = Known.Derived("load in progress"),
            IsHeld = Known<bool>.Of(isOwned, Trust.Assumed),
            Owner = owners is [(ThreadId owner, Known<bool> flag)]
                ? Known<ThreadId>.Of(owner, flag.Trust)
                : Known.Unknown<ThreadId>("load owner", whyNot),
            OwnerHasEnded = isOwned && owners.Length == 0 && flags.Length == threads.Count ? true : null,
            Recursion = Known.Unknown<uint>("recursion", "a load does not count it"),
            WaiterCount = Known.Unknown<uint>("waiters", "a load does not count them"),
        };
    }

    /// <summary>The workers that the load owner has put to work: it waits for all of them.</summary>
    public static IEnumerable<ThreadFacts> BusyWorkers(IEnumerable<ThreadFacts> threads)
        => threads.Where(thread => thread.Teb is { } teb && teb.TryGet(out TebFacts? block) && block.IsLoaderWorker.Is(isWorker => isWorker)
            && !(thread.Stack.Frames is [{ } top, ..] && NativeCalls.StateOf(top) == ThreadActivity.IdlePoolWorker));

    private static Known<bool> Flag(ThreadFacts thread)
        => thread.Teb is { } teb && teb.TryGet(out TebFacts? block) ? block.IsLoadOwner : Known.Unknown<bool>("load owner flag", "no environment block");
}
