using System.Reflection.Metadata;
using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>
/// Whether code that pauses is in the middle of something that it has taken to work on, as a message out of a queue, and comes to certain
/// instructions before it takes the next, or when it has worked on all. A loop that only pauses and looks has nothing in hand: it may do
/// so for ever.
/// </summary>
internal sealed class WorkInHand(CodeLevels levels, IlModules modules, CallGraph graph)
{
    // Methods of the program by which something is taken.
    private readonly Lazy<HashSet<string>> _taking = new(() => graph.LeadingTo(TakingMethods(modules)));

    /// <param name="thread">The thread.</param>
    /// <param name="leading">The methods that lead to such an instruction.</param>
    /// <param name="isOne">Whether an instruction, of a module's method, is one; null where it need come to none.</param>
    public bool Has(ClrThread thread, HashSet<string> leading, Func<IlModule, int, IlInstruction, bool>? isOne)
        => Has(levels.Of(thread), leading, isOne);

    /// <param name="flows">The async method that pauses, and those that await it, each the one before.</param>
    /// <param name="leading">The methods that lead to such an instruction.</param>
    /// <param name="isOne">Whether an instruction, of a module's method, is one; null where it need come to none.</param>
    public bool Has(IEnumerable<FlowBox> flows, HashSet<string> leading, Func<IlModule, int, IlInstruction, bool>? isOne)
        => Has(levels.Of(flows), leading, isOne);

    /// <summary>
    /// The method goes round a loop in which it takes one thing after the other out of a queue, a channel or a connection: it lives as long
    /// as these give something.
    /// </summary>
    public bool Consumes(string method)
        => graph.PlacesOf(method).Any(place => place.Module.Body(place.Method) is var body && IlLoops.WaitLoops(body)
            .SelectMany(loop => IlLoops.In(body, loop))
            .Any(instruction => IsTake(place.Module, instruction)
                || (IsWalk(place.Module, instruction) && IsOfQueue(place.Module, body, instruction))));

    // Of what is given out as long as there is more to come.
    private static bool IsOfQueue(IlModule module, IReadOnlyList<IlInstruction> body, IlInstruction walk)
        => module.Names.Member(walk.Operand)?.Name != "MoveNext"
            || body.Any(instruction => instruction.IsCall && module.Names.Member(instruction.Operand)?.Name == "GetConsumingEnumerable");

    /// <param name="around">The methods that somebody is in, from the innermost out.</param>
    /// <param name="leading">The methods that lead to such an instruction.</param>
    /// <param name="isOne">Whether an instruction, of a module's method, is one; null where it need come to none.</param>
    public bool Has(
        IReadOnlyList<CodeLevel> around, HashSet<string> leading, Func<IlModule, int, IlInstruction, bool>? isOne)
    {
        bool comes = isOne is null && around.Count > 0, hasTaken = false;
        foreach ((IlModule module, int method, int? place) in around)
        {
            if (place is not { } at)
            {
                return false;
            }

            bool Ends(IlInstruction found)
                => isOne is not null && (graph.Leads(module, method, found, leading) || isOne(module, method, found));

            IlBody body = new(module, method);
            (int Start, int End)[] loops = [.. body.Loops.Where(loop => Covers(loop, at))];
            IlInstruction[] walks =
                [.. body.Instructions.Where(instruction => IsWalk(module, instruction) && IsOfOne(body, loops, instruction.Offset))];
            IlInstruction[] takes = [.. body.Instructions.Where(instruction => IsTake(module, method, instruction, leading, isOne))];
            (int Start, int End)[] empty = [.. loops.Where(loop => !walks.Concat(takes).Any(take => Covers(loop, take.Offset)))];
            if (!hasTaken && empty.Any(loop => !IlBounds.IsBounded(module, body.Instructions, at, loop)))
            {
                return false;
            }

            comes = comes || Behind(body, at, [.. walks.Concat(takes).Where(take => !Ends(take)).Select(take => take.Offset)])
                .Any(found => found.IsCall && Ends(found) && (hasTaken || !empty.Any(loop => Covers(loop, found.Offset))))
                || (loops.Length > 0 && empty.Length == 0 && Behind(body, at, [])
                    .Any(found => found.IsCall && Ends(found) && !loops.Any(loop => Covers(loop, found.Offset))));
            hasTaken = hasTaken || takes.Any(take => take.Offset < at) || walks.Length > 0;
        }

        return comes;
    }

    // Who walks over the same things again in each round of a loop takes nothing in it.
    private static bool IsOfOne(IlBody body, (int Start, int End)[] loops, int walk)
        => body.Loops.Where(loop => Covers(loop, walk)).OrderBy(loop => loop.End - loop.Start).Take(1).Any(loops.Contains);

    private static bool Covers((int Start, int End) loop, int offset) => loop.Start <= offset && offset < loop.End;

    // What the method can come to before it takes the next. Where a switch leads is not followed.
    private static IEnumerable<IlInstruction> Behind(IlBody body, int from, HashSet<int> takes)
    {
        HashSet<int> seen = [];
        Stack<int> open = new([from]);
        while (open.TryPop(out int offset))
        {
            if (takes.Contains(offset) || !seen.Add(offset) || body.PlaceOf(offset) is not { } index)
            {
                continue;
            }

            IlInstruction instruction = body.Instructions[index];
            yield return instruction;
            foreach (int next in NextOf(body, instruction))
            {
                open.Push(next);
            }
        }
    }

    private static IEnumerable<int> NextOf(IlBody body, IlInstruction instruction)
        => instruction.Code is ILOpCode.Leave or ILOpCode.Leave_s
            ? [instruction.Operand, .. body.LeftBy(instruction).Select(clause => clause.Start)]
            : IlBody.After(instruction);

    private static bool IsWalk(IlModule module, IlInstruction instruction)
        => instruction.Code is ILOpCode.Call or ILOpCode.Callvirt
            && module.Names.Member(instruction.Operand) is { IsOwn: false } called && TakingCalls.IsWalk(called.Name);

    // A method that takes and works on it, too, is a round of its own.
    private bool IsTake(
        IlModule module, int method, IlInstruction instruction, HashSet<string> leading, Func<IlModule, int, IlInstruction, bool>? isOne)
        => IsTake(module, instruction)
            || (graph.Leads(module, method, instruction, _taking.Value) && !graph.Leads(module, method, instruction, leading)
                && isOne?.Invoke(module, method, instruction) != true);

    private static bool IsTake(IlModule module, IlInstruction instruction)
        => instruction.Code is ILOpCode.Call or ILOpCode.Callvirt
            && module.Names.Member(instruction.Operand) is { IsOwn: false } called
            && TakingCalls.Contains(called.Type, called.Name, module.Names.ShapeOf(instruction.Operand)?.Parameters ?? []);

    private static IEnumerable<string> TakingMethods(IlModules modules)
        => modules.Opened.SelectMany(module => module.Methods
            .Where(method => module.Body(method).Any(instruction => IsTake(module, instruction)))
            .Select(method => module.Names.Member(method)?.FullName).OfType<string>());
}
