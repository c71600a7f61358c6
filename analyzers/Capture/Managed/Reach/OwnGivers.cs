using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// Finds who waits inside the only method that could end the wait, below a loop that calls it for one thing after the other: a question to
/// the other side that is asked, and waited for, where its answers come in.
/// </summary>
internal sealed class OwnGivers(ClrRuntime runtime, ProgramUsers users, IReadOnlyList<ThreadStack> stacks, FlowInventory flows)
{
    private const string Threading = "System.Threading.";

    // Every connection has a loop of its own: another one may bring it.
    private const string Servers = "Microsoft.AspNetCore.";

    private const int MostSteps = 256;

    private readonly Dictionary<ulong, IlModule?> _modules = [];
    private ReturnedCalls? _returned;
    private readonly Dictionary<string, HashSet<(ulong Module, int Method)>> _leading = new(StringComparer.Ordinal);

    public ulong AddressOf(ThreadId thread) => StackOf(thread)?.Thread.Address ?? 0;

    /// <param name="thread">Who waits.</param>
    /// <param name="givers">The code that ends the wait.</param>
    public OwnGiver? OfThread(ThreadId thread, GivingCode givers)
        => StackOf(thread) is { } own ? Of([.. LevelsOf(own)], givers, own, []) : null;

    /// <summary>The async method, and those that await it.</summary>
    public FlowBox[] ChainOf(ulong box)
        => flows.Boxes.Find(box) is { } start ? [start, .. flows.Chains.Above(box).Take(MostSteps)] : [];

    /// <param name="chain">The async method that waits, and those that await it.</param>
    /// <param name="givers">The code that ends the wait.</param>
    /// <param name="waiter">The thread that waits for the last of them; null for none.</param>
    public OwnGiver? OfFlow(FlowBox[] chain, GivingCode givers, ThreadId? waiter)
    {
        ThreadStack? below = waiter is { } thread ? StackOf(thread) : null;
        WaitLevel[] levels = [.. chain.Where(flow => flow.Method is not null).Select(LevelOf), .. below is null ? [] : LevelsOf(below)];
        return Of(levels, givers, below, [.. chain.Select(flow => flow.Address)]);
    }

    private ThreadStack? StackOf(ThreadId thread) => stacks.FirstOrDefault(stack => stack.Thread.OSThreadId == thread.Value);

    private OwnGiver? Of(WaitLevel[] levels, GivingCode givers, ThreadStack? own, HashSet<ulong> chain)
    {
        GivingCode others = givers with { By = [.. givers.By.Where(actor => !HasStarted(actor, levels))] };
        return BelowLoop(levels, others, own, chain) ?? Alone(others, chain);
    }

    // Nobody else can come to that code, and they can when this wait is over.
    private OwnGiver? Alone(GivingCode givers, HashSet<ulong> chain)
        => givers.By.Count > 0 && givers.By.All(chain.Contains) && flows.Boxes.Find(givers.By.First())?.Method?.Name is { } only
            ? new OwnGiver(only, only)
            : null;

    // What a thread was started with is not called again: the thread that waits is the one.
    private bool HasStarted(ulong actor, WaitLevel[] levels)
        => runtime.Heap.GetObjectType(actor)?.Name is { } type && CallbackTypes.StartsThread(type) && CalledBy(actor, levels) >= 0;

    private OwnGiver? BelowLoop(WaitLevel[] levels, GivingCode givers, ThreadStack? own, HashSet<ulong> chain)
    {
        ulong[] others = [.. givers.By.Where(actor => actor != own?.Thread.Address && !chain.Contains(actor))];
        if (givers.Methods.Count == 0 || others.Length > 1
            || others.Any(actor => stacks.Any(stack => stack.Thread.Address == actor) || flows.Boxes.Find(actor) is not null))
        {
            return null;
        }

        levels = (_returned ??= new ReturnedCalls(runtime.Heap, Open, users.HasDelegate)).Insert(levels, others);
        (int At, bool IsGiver)[] giving = [.. givers.Methods.Select(giver => GivingLevel(giver, levels))];
        int[] called = [.. others.Select(found => CalledBy(found, levels))];
        if (giving.Any(level => level.At < 0) || called.Any(level => level < 0))
        {
            return null;
        }

        // A loop that calls the giver itself is the loop.
        int outside = giving.Select(level => level.IsGiver ? level.At + 1 : level.At).Concat(called.Select(level => level + 1)).Max();
        return LoopAround(levels.Skip(outside)) is { } loop && !IsElsewhere(loop, others.Length > 0, own, chain)
            ? new OwnGiver(levels[giving.Max(level => level.At)].Name, loop.Name)
            : null;
    }

    // The level that is the giver, or from which alone calls come to it; -1 for none.
    private (int At, bool IsGiver) GivingLevel(string giver, WaitLevel[] levels)
    {
        IReadOnlyList<(IlModule Module, int Method)> places = users.Graph.PlacesOf(giver);
        int at = Array.FindIndex(levels, level => places.Any(place => level.Is((place.Module.Address, place.Method))));
        return at >= 0 ? (at, true) : (Array.FindIndex(levels, level => LeadingTo(giver).Any(level.Is)), false);
    }

    private HashSet<(ulong Module, int Method)> LeadingTo(string giver)
    {
        if (!_leading.TryGetValue(giver, out HashSet<(ulong Module, int Method)>? leading))
        {
            leading = [.. users.Graph.LeadingByCalls([giver]).SelectMany(users.Graph.PlacesOf).Select(place => (place.Module.Address, place.Method))];
            _leading.Add(giver, leading);
        }

        return leading;
    }

    private int CalledBy(ulong found, WaitLevel[] levels)
        => ReturnedCalls.MethodOf(runtime.Heap.GetObject(found)) is { } method && ManagedStack.MethodName(method) is { } name
            ? Array.FindIndex(levels, level => level.Name == name) : -1;

    private static WaitLevel? LoopAround(IEnumerable<WaitLevel> levels)
    {
        foreach (WaitLevel level in levels.Where(level => !level.Name.StartsWith(Threading, StringComparison.Ordinal)))
        {
            if (level.Name.StartsWith(Servers, StringComparison.Ordinal))
            {
                return null;
            }

            if (level.IsInLoop())
            {
                return level;
            }
        }

        return null;
    }

    // Another one goes round the same, and may come to the giver. A loop that calls a delegate calls the one that its own object has.
    private bool IsElsewhere(WaitLevel loop, bool callsDelegate, ThreadStack? own, HashSet<ulong> chain)
        => stacks.Any(stack => stack != own && stack.Frames.Any(frame => frame.Method is { } method
                && method.MetadataToken == loop.Token && method.Type?.Module.Address == loop.Module))
            || flows.Boxes.All.Any(flow => flow.State >= 0 && !chain.Contains(flow.Address)
                && flow.Method is { } method && method.MoveNextToken == loop.Token && method.Machine.Module.Address == loop.Module
                && !(callsDelegate && loop.This is { } mine && ThisOf(flow) is { } other && other != mine));

    private ulong? ThisOf(FlowBox flow)
        => StateMachine.This(runtime.Heap.GetObject(flow.Address)) is { IsNull: false, Address: var own } ? own : null;

    private IEnumerable<WaitLevel> LevelsOf(ThreadStack stack)
    {
        ClrStackFrame? inner = null;
        foreach (ClrStackFrame frame in stack.Frames.Where(frame => frame is { Kind: ClrStackFrameKind.ManagedMethod, Method: not null }))
        {
            ClrStackFrame? called = inner;
            ClrMethod method = frame.Method!;
            yield return new WaitLevel(
                method.Type?.Module.Address ?? 0, method.MetadataToken, ManagedStack.MethodName(method) ?? string.Empty,
                () => Open(method.Type?.Module) is { } module
                    && (BringerSearch.PlaceIn(module, frame, called) is { } place
                        ? GoesRound(module, method.MetadataToken, place) : CallsInLoop(module, method.MetadataToken)));
            inner = frame;
        }
    }

    private WaitLevel LevelOf(FlowBox flow)
    {
        FlowMethod method = flow.Method!;
        return new WaitLevel(method.Machine.Module.Address, method.MoveNextToken, method.Name, () => Open(method.Machine.Module) is { } module
            && FlowPolls.AwaitOf(module, module.Body(method.MoveNextToken), flow.State) is { } place
            && GoesRound(module, method.MoveNextToken, FlowPolls.ResultOf(module, module.Body(method.MoveNextToken), place)))
        {
            Flow = flow.Address,
            This = ThisOf(flow),
        };
    }

    // Not one that ends by itself, as over the handlers of an event, nor one that only tries anew what has failed.
    private static bool GoesRound(IlModule module, int method, int place)
        => !IlBounds.EndsByItself(module, module.Body(method), place) && IlReach.ComesBack(module, method, place);

    // Of a method that was compiled anew while it ran the runtime does not tell where it is.
    private static bool CallsInLoop(IlModule module, int method)
        => module.Body(method).Any(call => call.IsCall && GoesRound(module, method, call.Offset));

    private IlModule? Open(ClrModule? module)
    {
        if (module is null)
        {
            return null;
        }

        if (!_modules.TryGetValue(module.Address, out IlModule? known))
        {
            known = IlModules.Any(runtime, module);
            _modules.Add(module.Address, known);
        }

        return known;
    }
}
