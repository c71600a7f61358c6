using HangTriage.Facts;

namespace HangTriage.Tests.Support.Facts;

/// <summary>Puts threads into system calls.</summary>
public static class SystemCalls
{
    /// <param name="snapshot">The facts.</param>
    /// <param name="thread">The thread.</param>
    /// <param name="call">The call that it is in; null for none.</param>
    /// <param name="hasTimeout">Whether the call ends by itself; null where nothing tells.</param>
    public static ProcessSnapshot With(ProcessSnapshot snapshot, uint thread, string? call, bool? hasTimeout = null)
        => snapshot with
        {
            Threads = snapshot.Threads.Select<IReadOnlyList<ThreadFacts>>(threads => [.. threads.Select(facts => facts.OsId.Value == thread ? With(facts, call, hasTimeout) : facts)]),
        };

    private static ThreadFacts With(ThreadFacts thread, string? call, bool? hasTimeout) => thread with
    {
        IsInSystemCall = Known.Read(call is not null),
        SystemCall = call is null ? null : Known.Read(new SystemCallFacts(Known.Read(0u), Known.Derived(call)) { HasTimeout = hasTimeout }),
    };
}
