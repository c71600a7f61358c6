using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// Finds who waits inside the only method that could end the wait, below a loop that calls it for one thing after the other: a question to
/// the other side that is asked, and waited for, where its answers come in.
/// </summary>
internal sealed class OwnGivers(ClrRuntime runtime, CallGraph graph, IReadOnlyList<ThreadStack> stacks, FlowInventory flows)
{
    private const string Threading = "System.Threading.";

    // Every connection has a loop of its own: another one may bring it.
    private const string Servers = "Microsoft.AspNetCore.";

    private const int MostSteps = 256;

    private readonly Dictionary<ulong, IlModule?> _modules = [];

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
        Level[] levels = [.. chain.Where(flow => flow.Method is not null).Select(LevelOf), .. below is null ? [] : LevelsOf(below)];
        return Of(levels, givers, below, [.. chain.Select(flow => flow.Address)]);
    }

    private ThreadStack? StackOf(ThreadId thread) => stacks.FirstOrDefault(stack => stack.Thread.OSThreadId == thread.Value);

    private OwnGiver? Of(Level[] levels, GivingCode givers, ThreadStack? own, HashSet<ulong> chain)
        => BelowLoop(levels, givers, own, chain) ?? Alone(givers, chain);

    // Nobody else can come to that code, and they can when this wait is over.
    private OwnGiver? Alone(GivingCode givers, HashSet<ulong> chain)
        => givers.By.Count > 0 && givers.By.All(chain.Contains) && flows.Boxes.Find(givers.By.First())?.Method?.Name is { } only
            ? new OwnGiver(only, only)
            : null;

    private OwnGiver? BelowLoop(Level[] levels, GivingCode givers, ThreadStack? own, HashSet<ulong> chain)
    {
        int outermost = -1;
        foreach (string giver in givers.Methods)
        {
            IReadOnlyList<(IlModule Module, int Method)> places = graph.PlacesOf(giver);
            int at = Array.FindIndex(levels, level => places.Any(level.Is));
            if (at < 0)
            {
                return null;
            }

            outermost = Math.Max(outermost, at);
        }

        ulong[] others = [.. givers.By.Where(actor => actor != own?.Thread.Address && !chain.Contains(actor))];
        return outermost >= 0
            && !others.Any(actor => stacks.Any(stack => stack.Thread.Address == actor) || flows.Boxes.Find(actor) is not null)
            && others.Length <= 1
            && LoopAround(levels.Skip(outermost + 1)) is { } loop && !IsElsewhere(loop, own, chain)
                ? new OwnGiver(levels[outermost].Name, loop.Name)
                : null;
    }

    private static Level? LoopAround(IEnumerable<Level> levels)
    {
        foreach (Level level in levels.Where(level => !level.Name.StartsWith(Threading, StringComparison.Ordinal)))
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

    // Another one goes round the same, and may come to the giver.
    private bool IsElsewhere(Level loop, ThreadStack? own, HashSet<ulong> chain)
        => stacks.Any(stack => stack != own && stack.Frames.Any(frame => frame.Method is { } method
                && method.MetadataToken == loop.Token && method.Type?.Module.Address == loop.Module))
            || flows.Boxes.All.Any(flow => flow.State >= 0 && !chain.Contains(flow.Address)
                && flow.Method is { } method && method.MoveNextToken == loop.Token && method.Machine.Module.Address == loop.Module);

    private IEnumerable<Level> LevelsOf(ThreadStack stack)
    {
        ClrStackFrame? inner = null;
        foreach (ClrStackFrame frame in stack.Frames.Where(frame => frame is { Kind: ClrStackFrameKind.ManagedMethod, Method: not null }))
        {
            ClrStackFrame? called = inner;
            ClrMethod method = frame.Method!;
            yield return new Level(
                method.Type?.Module.Address ?? 0, method.MetadataToken, ManagedStack.MethodName(method) ?? string.Empty,
                () => Open(method.Type?.Module) is { } module
                    && (BringerSearch.PlaceIn(module, frame, called) is { } place
                        ? GoesRound(module, method.MetadataToken, place) : CallsInLoop(module, method.MetadataToken)));
            inner = frame;
        }
    }

    private Level LevelOf(FlowBox flow)
    {
        FlowMethod method = flow.Method!;
        return new Level(method.Machine.Module.Address, method.MoveNextToken, method.Name, () => Open(method.Machine.Module) is { } module
            && FlowPolls.AwaitOf(module, module.Body(method.MoveNextToken), flow.State) is { } place
            && GoesRound(module, method.MoveNextToken, place));
    }

    // Not one that ends by itself, as over the handlers of an event.
    private static bool GoesRound(IlModule module, int method, int place)
        => !IlBounds.EndsByItself(module, module.Body(method), place);

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

    /// <summary>A method on the way from who waits to who has begun all.</summary>
    private sealed record Level(ulong Module, int Token, string Name, Func<bool> IsInLoop)
    {
        public bool Is((IlModule Module, int Method) place) => place.Module.Address == Module && place.Method == Token;
    }
}
