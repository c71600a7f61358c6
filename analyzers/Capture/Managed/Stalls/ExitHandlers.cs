using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Stalls;

/// <summary>Finds the end of the process that waits for its own handlers: the finalizer thread runs those of AppDomain.ProcessExit.</summary>
internal sealed class ExitHandlers(IReadOnlyList<ClrThread> threads, ThreadFrames walked)
{
    private const int Main = 1;

    public IEnumerable<Stall> Find()
    {
        if (threads.FirstOrDefault(thread => thread.IsFinalizer && RunsNoFinalizer(thread)) is not { } runner)
        {
            yield break;
        }

        LockFacts facts = Stall.Held(LockKind.ExitHandlers, runner.Address, Known.Derived(string.Empty), Known.Derived(new ThreadId(runner.OSThreadId)));
        WaitFacts[] waits =
        [
            .. threads
                .Where(thread => thread.Address != runner.Address && thread.IsAlive)
                .Select(thread => (Thread: thread, Source: SourceOf(thread)))
                .Where(pair => pair.Source is not null)
                .Select(pair => Stall.Wait(pair.Thread.OSThreadId, facts.Id, pair.Source!)),
        ];
        if (waits.Length > 0)
        {
            yield return new Stall(facts, waits);
        }
    }

    // The runtime calls finalizers, and nothing else of the program's but these handlers, on that thread. AppContext.OnProcessExit, which
    // calls them, leaves no frame: it jumps to the last.
    private bool RunsNoFinalizer(ClrThread finalizer)
        => Methods(finalizer).LastOrDefault() is { } outermost && outermost.Name != "Finalize" && outermost.Type?.Name != "System.GC";

    // Where Main has returned, no managed frame is left of its thread.
    private string? SourceOf(ClrThread thread)
    {
        // Where Environment.Exit is inlined, the runtime's marker of the call has the method.
        ClrMethod? innermost = walked.Of(thread).Select(frame => frame.Method).FirstOrDefault(method => method is not null);
        return innermost is null ? thread.ManagedThreadId == Main ? "Main has returned, and its thread ends the process" : null
            : MeaningOf(innermost) == CallMeaning.WaitsForExitHandlers ? ManagedStack.MethodName(innermost)
            : null;
    }

    private IEnumerable<ClrMethod> Methods(ClrThread thread)
        => walked.Of(thread).Where(frame => frame.Kind == ClrStackFrameKind.ManagedMethod).Select(frame => frame.Method).OfType<ClrMethod>();

    private static CallMeaning? MeaningOf(ClrMethod method) => DotNetCalls.Table.Find(method.Type?.Name, method.Name)?.Meaning;
}
