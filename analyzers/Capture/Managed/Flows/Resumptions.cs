using HangTriage.Capture.Managed.Pool;
using HangTriage.Capture.Managed.Reading;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>
/// The async methods and operations that continue by themselves: they stand in a queue of the thread pool, or a worker has taken them from
/// there and has yet to run them. What they awaited has come, though nothing in them says so yet.
/// </summary>
/// <param name="runtime">The runtime.</param>
/// <param name="stacks">Its threads.</param>
/// <param name="context">Limits, progress and cancellation.</param>
internal sealed class Resumptions(ClrRuntime runtime, Func<IReadOnlyList<ThreadStack>> stacks, CaptureContext context)
{
    private const string MoveNext = "MoveNext";

    private readonly Lazy<HashSet<ulong>> _all = new(() =>
    [
        .. QueuedObjects.Items(runtime, context).Select(item => item.Address),
        .. stacks().SelectMany(stack => TakenBy(runtime, stack)),
    ]);

    public bool Contains(ulong address) => _all.Value.Contains(address);

    // A worker that is in code of the program may have anything in hand: the method itself counts, at its beginning and its end.
    private static IEnumerable<ulong> TakenBy(ClrRuntime runtime, ThreadStack stack)
        => stack.Methods.FirstOrDefault() is not { } innermost || !IsAboutToRun(stack.Methods) ? []
            : Frameworks.IsOfBaseLibrary(innermost.Type?.Name) ? stack.Roots
            : Boxes(runtime, stack, innermost.Type?.Name);

    private static ulong[] Boxes(ClrRuntime runtime, ThreadStack stack, string? machine)
    {
        using TypeGuesses guesses = new(runtime.DataTarget.DataReader);
        return
        [
            .. stack.Roots.Where(root => runtime.Heap.GetObjectType(root)?.Name is { } type && StateMachine.MachineOfBox(type) == machine),
        ];
    }

    private static bool IsAboutToRun(IEnumerable<ClrMethod> methods)
    {
        bool isInnermost = true;
        foreach (ClrMethod method in methods)
        {
            CallMeaning? meaning = DotNetCalls.Table.Find(method.Type?.Name, method.Name)?.Meaning;
            if (meaning == CallMeaning.RunsWorkItem)
            {
                return true;
            }

            bool isOnTheWay = Frameworks.IsOfBaseLibrary(method.Type?.Name) || (isInnermost && method.Name == MoveNext);
            if (meaning is not (null or CallMeaning.RunsTask) || !isOnTheWay)
            {
                return false;
            }

            isInnermost = false;
        }

        return false;
    }
}
