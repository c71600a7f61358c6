using HangTriage.Facts;

namespace HangTriage.Rules.Threads;

/// <summary>
/// Threads at work for which the runtime does something at this moment, as making room for a new object, holding them until a collection
/// has ended, or looking up what compiled code refers to. For the system they wait; what they do continues when that is done.
/// </summary>
internal static class RuntimeHelp
{
    private const string Framework = "System.";
    private const string Allocates = ".Allocate";

    // The runtime caught it at work and holds it until a collection has ended: at any instruction, in a signal's handler, or as a method of
    // its own returned (frames.h of the runtime). Who holds up the collection is for HT6003 to say.
    private static readonly string[] s_heldForCollection = ["[RedirectedThreadFrame]", "[ResumableFrame]", "[HijackFrame]"];

    // A method of the framework that copies much asks in between whether a collection waits for it, from .NET 10 on.
    private const string AsksForCollection = "System.Threading.Thread.<PollGC>";

    // Compiled code asks for what it refers to, or for a method that it calls and that has no code yet or gets better code.
    private static readonly string[] s_lookUp =
        ["[DynamicHelperFrame]", "[PrestubMethodFrame]", "[StubDispatchFrame]", "[ExternalMethodFrame]", "[CallCountingHelperFrame]"];

    // Code of the program that the runtime may be calling on another thread, and that a look-up may have to wait for.
    private static readonly string[] s_resolving =
        ["AssemblyLoadContext.Resolve", "AppDomain.OnAssemblyResolveEvent", "AssemblyLoadContext.OnAssemblyResolve"];

    /// <summary>The same threads, those of them as at work.</summary>
    public static IEnumerable<ThreadAssessment> AsAtWork(IReadOnlyList<ThreadAssessment> threads)
    {
        bool mayLookUp = !threads.Any(thread => TypeInitializer.RunBy(thread.Thread) is not null || Resolves(thread.Thread));
        return threads.Select(thread => IsAwayFromItsCode(thread.State) && IsHelped(thread.Thread, mayLookUp)
            ? thread with { State = ThreadActivity.Running, Trust = Trust.Derived }
            : thread);
    }

    // To make room the runtime also reads how much memory there is, and sleeps or yields for a moment.
    private static bool IsAwayFromItsCode(ThreadActivity state)
        => state is ThreadActivity.WaitsForObject or ThreadActivity.WaitsForIo or ThreadActivity.Sleeping or ThreadActivity.Yielding;

    private static bool IsHelped(ThreadFacts thread, bool mayLookUp)
        => IsMarked(thread, mayLookUp)
            || (thread.Stack.Frames.FirstOrDefault(frame => frame.Kind == FrameKind.Managed) is { Method: { } innermost }
                && innermost.StartsWith(AsksForCollection, StringComparison.Ordinal));

    private static bool IsMarked(ThreadFacts thread, bool mayLookUp)
        => thread.Stack.Frames.FirstOrDefault(frame => frame.Kind != FrameKind.Native) is { Kind: FrameKind.Runtime, Method: { } method }
            && (s_heldForCollection.Contains(method)
                || (mayLookUp && s_lookUp.Contains(method))
                || (method.StartsWith(Framework, StringComparison.Ordinal) && method.Contains(Allocates, StringComparison.Ordinal)));

    private static bool Resolves(ThreadFacts thread)
        => thread.Stack.Frames.Any(frame => frame.Method is { } method
            && Array.Exists(s_resolving, part => method.Contains(part, StringComparison.Ordinal)));
}
