using HangTriage.Facts;

namespace HangTriage.Rules.Threads;

/// <summary>
/// Threads at work for which the runtime does something at this moment, as making room for a new object while it collects, or looking up
/// what code that was compiled ahead refers to. For the system they wait; what they do goes on when that is done.
/// </summary>
internal static class RuntimeHelp
{
    // The marker of a call of compiled code for such a look-up (.NET 9 and 10; DynamicHelperWorker of prestub.cpp).
    private const string LookUp = "[DynamicHelperFrame]";

    private const string Framework = "System.";
    private const string Allocates = ".Allocate";

    // Code of the program that the runtime may be calling on another thread, and that a look-up may have to wait for.
    private static readonly string[] s_resolving =
        ["AssemblyLoadContext.Resolve", "AppDomain.OnAssemblyResolveEvent", "AssemblyLoadContext.OnAssemblyResolve"];

    /// <summary>The same threads, those of them as at work.</summary>
    public static IEnumerable<ThreadAssessment> AsAtWork(IReadOnlyList<ThreadAssessment> threads)
    {
        bool mayLookUp = !threads.Any(thread => TypeInitializer.RunBy(thread.Thread) is not null || Resolves(thread.Thread));
        return threads.Select(thread => thread.State == ThreadActivity.WaitsForObject && IsHelped(thread.Thread, mayLookUp)
            ? thread with { State = ThreadActivity.Running, Trust = Trust.Derived }
            : thread);
    }

    private static bool IsHelped(ThreadFacts thread, bool mayLookUp)
        => thread.Stack.Frames is [{ Kind: FrameKind.Runtime, Method: { } method }, ..]
            && (method == LookUp ? mayLookUp
                : method.StartsWith(Framework, StringComparison.Ordinal) && method.Contains(Allocates, StringComparison.Ordinal));

    private static bool Resolves(ThreadFacts thread)
        => thread.Stack.Frames.Any(frame => frame.Method is { } method
            && Array.Exists(s_resolving, part => method.Contains(part, StringComparison.Ordinal)));
}
