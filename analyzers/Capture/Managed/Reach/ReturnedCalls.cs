using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Tasks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// Finds the methods that have handed back the task of an async method that they called: they have returned, and have no level of their
/// own, but whoever called them awaits that task as if it were theirs.
/// </summary>
/// <param name="heap">The heap.</param>
/// <param name="open">Opens a module.</param>
/// <param name="hasDelegate">A delegate of the method exists.</param>
internal sealed class ReturnedCalls(ClrHeap heap, Func<ClrModule?, IlModule?> open, Func<string, bool> hasDelegate)
{
    private const int MostHops = 4;
    private const int MostObjects = 2_048;
    private const string Invoke = "Invoke";

    /// <summary>The method that a delegate stands for; null for what is no delegate of one.</summary>
    public static ClrMethod? MethodOf(ClrObject found)
        => found is { IsDelegate: true } ? found.AsDelegate().GetDelegateTarget()?.Method : null;

    /// <summary>
    /// The levels, the innermost first, and between them the methods of those delegates that must have been called there: the async method
    /// within is called by such a method and by no delegate of its own, and the one without awaits it, does not call it by its name, and
    /// has the delegate.
    /// </summary>
    public WaitLevel[] Insert(WaitLevel[] levels, IEnumerable<ulong> delegates)
    {
        foreach (ulong address in delegates)
        {
            if (MethodOf(heap.GetObject(address)) is { Type.Module: { } owner } method && ManagedStack.MethodName(method) is { } name
                && !levels.Any(level => level.Name == name) && open(owner) is { } module)
            {
                HashSet<string> called =
                [
                    .. module.Body(method.MetadataToken).Where(call => call.IsCall)
                        .Select(call => module.Names.Member(call.Operand)?.FullName).OfType<string>(),
                ];
                int within = Array.FindLastIndex(levels, level => called.Contains(level.Name) && !hasDelegate(level.Name));
                if (within >= 0 && within + 1 < levels.Length && IsCalledFrom(levels[within + 1], levels[within].Name, module, address))
                {
                    levels =
                    [
                        .. levels[..(within + 1)], new WaitLevel(owner.Address, method.MetadataToken, name, () => false),
                        .. levels[(within + 1)..],
                    ];
                }
            }
        }

        return levels;
    }

    private bool IsCalledFrom(WaitLevel outer, string inner, IlModule program, ulong found)
    {
        if (outer.Flow == 0 || heap.Runtime.EnumerateModules().FirstOrDefault(own => own.Address == outer.Module) is not { } owner
            || open(owner) is not { } module)
        {
            return false;
        }

        string[] calls =
        [
            .. module.Body(outer.Token).Where(call => call.IsCall)
                .Select(call => module.Names.Member(call.Operand)?.FullName).OfType<string>(),
        ];
        bool isForeign = owner.Address != 0 && module.Assembly != program.Assembly && !module.References.Contains(program.Assembly);
        return !calls.Contains(inner)
            && (isForeign || calls.Any(call => call.EndsWith('.' + Invoke, StringComparison.Ordinal)))
            && Has(outer, found);
    }

    private bool Has(WaitLevel level, ulong found)
    {
        HashSet<ulong> seen = [];
        ulong[] edge = [.. StateMachine.Held(heap.GetObject(level.Flow)).Select(held => held.Address)];
        for (int hop = 0; hop <= MostHops && edge.Length > 0 && seen.Count < MostObjects; hop++)
        {
            if (edge.Contains(found))
            {
                return true;
            }

            edge =
            [
                .. edge.Where(seen.Add).SelectMany(address => heap.GetObject(address).EnumerateReferences(carefully: true))
                    .Select(next => next.Address).Distinct().Take(MostObjects),
            ];
        }

        return false;
    }
}
