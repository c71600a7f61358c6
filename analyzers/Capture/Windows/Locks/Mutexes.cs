using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Locks;

/// <summary>Makes locks of the mutexes among a process's handles.</summary>
internal static class Mutexes
{
    /// <summary>Those that are held, and those that a thread waits for. One mutex with two handles is two here.</summary>
    public static IEnumerable<LockFacts> Noteworthy(Known<IReadOnlyList<HandleFacts>> handles, IReadOnlySet<ulong> waitedFor)
        => (handles.TryGet(out IReadOnlyList<HandleFacts>? list) ? list : [])
            .Where(handle => handle.Type.Is(type => type == "Mutant"))
            .Select(handle => (Handle: handle, Lock: Lock(handle)))
            .Where(pair => pair.Lock.IsHeld.Is(isHeld => isHeld) || waitedFor.Contains(pair.Handle.Value.Value))
            .Select(pair => pair.Lock);

    private static LockFacts Lock(HandleFacts handle)
    {
        const string Missing = "the dump has no information on the object";
        Known<bool> isHeld = handle.IsSignaled is { } signaled ? signaled.Select(isFree => !isFree)
            : handle.Owner is { HasValue: true } owner ? Known<bool>.Of(true, owner.Trust)
            : Known.Unknown<bool>("state", Missing);
        return new LockFacts
        {
            Id = new LockId(LockKind.Mutex, handle.Value),
            Name = handle.Name,
            IsHeld = isHeld,
            Owner = handle.Owner ?? Known.Unknown<ThreadId>("owner", isHeld.Is(held => !held) ? "nobody holds the mutex" : Missing),
            Recursion = Known.Unknown<uint>("recursion", "it is not read"),
            WaiterCount = Known.Unknown<uint>("waiters", "a mutex does not tell"),
        };
    }
}
