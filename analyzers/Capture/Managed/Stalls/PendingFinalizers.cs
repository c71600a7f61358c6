using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Stalls;

/// <summary>Reads what the finalizer thread has to do, and who waits for it.</summary>
internal sealed class PendingFinalizers(ClrRuntime runtime, IReadOnlyList<ClrThread> threads, ThreadFrames walked, CaptureContext context)
{
    private const int MostQueued = 100_000;

    private readonly ClrThread? _finalizer = threads.FirstOrDefault(thread => thread.IsFinalizer);

    /// <summary>Null where the runtime has no such thread.</summary>
    public FinalizerFacts? Facts()
        => _finalizer is null ? null : new FinalizerFacts
        {
            Thread = new ThreadId(_finalizer.OSThreadId),
            Queued = IsAtWork() ? Attempt.Read("objects that wait for their finalizer", () => Known.Derived(Queued())) : Known.Derived(0u),
        };

    public IEnumerable<Stall> Find()
    {
        if (_finalizer is null || !IsAtWork())
        {
            yield break;
        }

        LockFacts facts = Stall.Held(
            LockKind.Finalizers, _finalizer.Address, Known.Derived(string.Empty), Known.Read(new ThreadId(_finalizer.OSThreadId)));
        WaitFacts[] waits =
        [
            .. threads
                .Select(thread => (Thread: thread, Call: Call(thread)))
                .Where(pair => DotNetCalls.Find(pair.Call)?.Meaning == CallMeaning.WaitsForFinalizers)
                .Select(pair => Stall.Wait(pair.Thread.OSThreadId, facts.Id, pair.Call!)),
        ];
        if (waits.Length > 0)
        {
            yield return new Stall(facts, waits);
        }
    }

    // Between two rounds it waits in the runtime's own code.
    private bool IsAtWork() => Innermost(_finalizer!) is not null;

    // Where GC.WaitForPendingFinalizers is inlined, the runtime's marker of the call has the method.
    private string? Call(ClrThread thread)
        => ManagedStack.MethodName(walked.Of(thread).Select(frame => frame.Method).FirstOrDefault(method => method is not null));

    private string? Innermost(ClrThread thread)
        => ManagedStack.MethodName(walked.Of(thread).FirstOrDefault(frame => frame.Kind == ClrStackFrameKind.ManagedMethod)?.Method);

    private uint Queued()
    {
        uint count = 0;
        foreach (ClrRoot root in runtime.Heap.EnumerateFinalizerRoots())
        {
            context.Step();
            if (root.Object.IsNull || ++count == MostQueued)
            {
                break;
            }
        }

        return count;
    }
}
