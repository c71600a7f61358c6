using HangTriage.Capture.Managed.Heap;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Contexts;

/// <summary>The stacks and the handles of a runtime, read once for those who ask what leads to an object.</summary>
/// <param name="Stacks">Those of the threads that could be read.</param>
/// <param name="Handles">The handle table.</param>
/// <param name="Pointers">Where the heap points to, as far as it has been searched.</param>
/// <param name="Referrers">What refers to the objects that were asked about.</param>
internal sealed record RuntimeRoots(IReadOnlyList<ThreadStack> Stacks, RuntimeHandles Handles, PointerMap Pointers, KnownReferrers Referrers)
{
    /// <param name="runtime">The runtime.</param>
    /// <param name="threads">Its threads that live.</param>
    /// <param name="walked">Their frames.</param>
    /// <param name="context">Limits, progress and cancellation.</param>
    /// <param name="gaps">Gains the stacks that could not be read.</param>
    public static RuntimeRoots Read(ClrRuntime runtime, IReadOnlyList<ClrThread> threads, ThreadFrames walked, CaptureContext context, List<Gap> gaps)
    {
        List<ThreadStack> stacks = [];
        foreach (ClrThread thread in threads)
        {
            Known<ThreadStack> stack = Attempt.Read($"stack of thread 0x{thread.OSThreadId:x}", () => Known.Read(ThreadStack.Read(thread, walked, context)));
            if (stack.TryGet(out ThreadStack? read))
            {
                stacks.Add(read);
            }
            else
            {
                gaps.Add(stack.Gap! with { IsLoss = true });
            }
        }

        PointerMap pointers = new([.. runtime.Heap.Segments.Select(segment => segment.ObjectRange)], runtime.DataTarget.DataReader.PointerSize);
        return new RuntimeRoots(stacks, RuntimeHandles.Read(runtime, context), pointers, new KnownReferrers());
    }
}
