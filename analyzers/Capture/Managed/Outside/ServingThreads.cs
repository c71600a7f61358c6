using HangTriage.Capture.Managed.Reading;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Outside;

/// <summary>Finds the threads that serve accepted connections: what the frames of the program's code hold leads to one.</summary>
internal static class ServingThreads
{
    public static IReadOnlyList<ServingThread> Of(ClrRuntime runtime, IReadOnlyList<ThreadStack> stacks)
    {
        using OptionalReads optional = new(runtime.DataTarget.DataReader);
        return
        [
            .. stacks.Select(stack => (stack.Thread, At: AcceptedSockets.AddressIn(runtime.Heap, RootsOf(stack))))
                .Where(pair => pair.At is not null)
                .Select(pair => new ServingThread(new ThreadId(pair.Thread.OSThreadId), pair.At!)),
        ];
    }

    private static IEnumerable<ulong> RootsOf(ThreadStack stack)
        => stack.Frames.Where(frame => frame.Method?.Type?.Name is { } type && !Frameworks.IsOwn(type))
            .SelectMany(stack.RootsOf)
            .Select(root => root.Address);
}
