using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Requests;

/// <summary>Who handles a request: the last of the async methods that wait for one another, or the thread that runs one of them.</summary>
internal sealed class RequestHandlers(FlowInventory flows, Lazy<RuntimeRoots> roots)
{
    private const int MostMethods = 256;

    private readonly Dictionary<ulong, ulong> _samples = flows.Groups
        .SelectMany(group => group.Boxes.Select(box => (box, Sample: group.Sample.Address)))
        .GroupBy(pair => pair.box).ToDictionary(pair => pair.Key, pair => pair.First().Sample);

    /// <summary>It is in one of the groups: something can continue it.</summary>
    public bool IsKept(FlowBox box) => _samples.ContainsKey(box.Address);

    /// <param name="request">The method that works on the request.</param>
    public (ThreadId? Thread, Address? Flow) Of(FlowBox request)
    {
        FlowBox own = request;
        FlowBox last = request;
        for (int step = 0; last.State >= 0 && step < MostMethods && Next(last) is { } next; step++)
        {
            last = next;
            own = last.Method!.IsOfBaseLibrary ? own : last;
        }

        return last.State < 0
            ? (RunningOn(last), null)
            : (null, _samples.TryGetValue(own.Address, out ulong sample) ? new Address(sample) : null);
    }

    /// <summary>The requests that threads work on whose method has not been suspended yet, and so has no box.</summary>
    public IEnumerable<(ThreadId Thread, ClrObject Protocol, ClrObject Context)> OnStacks()
    {
        foreach (ThreadStack stack in roots.Value.Stacks)
        {
            ClrStackFrame[] frames =
                [.. stack.Frames.Where(frame => frame.Method?.Type?.Name is { } type && KestrelCalls.IsRequestFrame(type))];
            ClrObject[] protocols = [.. frames.SelectMany(stack.RootsOf).Where(RequestObject.Is).DistinctBy(found => found.Address)];
            if (protocols is [var protocol])
            {
                ClrObject[] contexts =
                [
                    .. stack.Frames.SelectMany(stack.RootsOf).Where(found => found.Type?.Name == StartSource.Context)
                        .DistinctBy(found => found.Address),
                ];
                yield return (new ThreadId(stack.Thread.OSThreadId), protocol, contexts is [var context] ? context : default);
            }
        }
    }

    private FlowBox? Next(FlowBox box) => flows.Boxes.Find(box.Awaited) ?? flows.Boxes.FindByMachine(box.Awaited);

    // Others may wait for the same method: the thread that runs it is in its MoveNext.
    private ThreadId? RunningOn(FlowBox box)
    {
        ThreadStack[] found =
        [
            .. roots.Value.Stacks.Where(stack =>
                (stack.Roots.Contains(box.Address) || (box.Machine != 0 && stack.Roots.Contains(box.Machine)))
                && stack.Frames.Any(frame => IsOf(frame, box.Method!.Machine))),
        ];
        return found is [var stack] ? new ThreadId(stack.Thread.OSThreadId) : null;
    }

    private static bool IsOf(ClrStackFrame frame, ClrType machine)
        => frame.Method is { Name: "MoveNext", Type: { } type } && type.MetadataToken == machine.MetadataToken
            && type.Module?.Address == machine.Module?.Address;
}
