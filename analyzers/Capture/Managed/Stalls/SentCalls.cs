using HangTriage.Capture.Managed.Locks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Stalls;

/// <summary>
/// Finds threads that have sent a call to the thread of a synchronization context and wait until it has run: SynchronizationContext.Send,
/// Control.Invoke, Dispatcher.Invoke. Which context that is, is known where one thread alone runs such, or where the stack leads to one alone.
/// </summary>
internal sealed class SentCalls(IReadOnlyList<ClrThread> threads, ThreadFrames walked, CaptureContext context)
{
    private const string Base = "System.Threading.SynchronizationContext";
    private const int BaseTypes = 16;

    // The methods that block, by the type that declares them, and the context whose thread runs what they send.
    private static readonly (string Type, string Method, string Context)[] s_calls =
    [
        ("System.Windows.Forms.Control", "MarshaledInvoke", "System.Windows.Forms.WindowsFormsSynchronizationContext"),
        ("System.Windows.Threading.Dispatcher", "InvokeImpl", "System.Windows.Threading.DispatcherSynchronizationContext"),
    ];

    public IEnumerable<Stall> Find(ManagedFacts facts)
    {
        if (!facts.UiThreads.TryGet(out IReadOnlyList<UiThreadFacts>? all) || all.Count == 0)
        {
            yield break;
        }

        ILookup<string, UiThreadFacts> byContext = all.ToLookup(thread => thread.ContextType);
        foreach (ClrThread thread in threads)
        {
            context.Step();
            if (SentTo(thread) is { } call && Receiver(thread, call.Frame, [.. byContext[call.Type]]) is { } only)
            {
                LockFacts held = Stall.Held(LockKind.ContextCall, only.Context.Value, Known.Derived(call.Type), Known<ThreadId>.Of(only.Thread, only.Trust));
                yield return new Stall(held, [Stall.Wait(thread.OSThreadId, held.Id, "the call on its stack that sends to the context") with { Timeout = TimeoutOf(thread, facts) }]);
            }
        }
    }

    // Code of the program's below the call shows that it runs what it was to send, on the sender's own thread.
    private (string Type, ClrStackFrame Frame)? SentTo(ClrThread thread)
    {
        foreach (ClrStackFrame frame in walked.Of(thread).Where(frame => frame.Kind == ClrStackFrameKind.ManagedMethod))
        {
            if (ContextOf(frame) is { } type)
            {
                return (type, frame);
            }

            if (!Frameworks.IsOfBaseLibrary(frame.Method?.Type?.Name))
            {
                return null;
            }
        }

        return null;
    }

    /// <summary>Of several contexts of that type the one that the call's frame holds, else the only one that the stack leads to beside the thread's own.</summary>
    private static UiThreadFacts? Receiver(ClrThread thread, ClrStackFrame call, IReadOnlyList<UiThreadFacts> contexts)
    {
        UiThreadFacts[] others = [.. contexts.Where(found => found.Thread.Value != thread.OSThreadId)];
        if (contexts.Count == 1 || others.Length == 0)
        {
            return others.FirstOrDefault();
        }

        StackObjects objects = StackObjects.Of(thread);
        string type = others[0].ContextType;
        return Only(others, objects.In([call], type)) ?? Only(others, objects.AllWithFields(type));
    }

    private static UiThreadFacts? Only(IReadOnlyList<UiThreadFacts> contexts, IReadOnlyList<ClrObject> held)
        => contexts.Where(context => held.Any(found => found.Address == context.Context.Value)).Take(2).ToArray() is [UiThreadFacts only] ? only : null;

    private static Known<TimeSpan> TimeoutOf(ClrThread thread, ManagedFacts facts)
        => (facts.Waits.TryGet(out IReadOnlyList<WaitFacts>? waits) ? waits.FirstOrDefault(wait => wait.Thread.Value == thread.OSThreadId)?.Timeout : null)
            ?? Known.Unknown<TimeSpan>("timeout", "the runtime does not record it for this wait");

    /// <summary>The type of the context that the frame's method sends to and waits for; null for others.</summary>
    private static string? ContextOf(ClrStackFrame frame)
        => frame is not { Kind: ClrStackFrameKind.ManagedMethod, Method: { Type: { } type } method } ? null
            : method.Name == "Send" && Derives(type) ? type.Name
            : Array.Find(s_calls, call => call.Method == method.Name && call.Type == type.Name).Context;

    private static bool Derives(ClrType type)
    {
        ClrType? current = type.BaseType;
        for (int depth = 0; current is not null && depth < BaseTypes; depth++, current = current.BaseType)
        {
            if (current.Name == Base)
            {
                return true;
            }
        }

        return false;
    }
}
