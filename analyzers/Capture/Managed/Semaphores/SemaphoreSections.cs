using System.Reflection.Metadata;
using HangTriage.Capture.Managed.Code;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Semaphores;

/// <summary>
/// Finds the parts of methods in which they have an entry of a SemaphoreSlim: from where they enter it to where they give the entry back,
/// or the block behind which a finally block does.
/// </summary>
internal sealed class SemaphoreSections
{
    private const string Release = "Release";
    private const string WaitAsync = "WaitAsync";
    private const string Result = "GetResult";

    private readonly Dictionary<(ulong Module, int Method), IReadOnlyList<SemaphoreSection>> _known = [];

    /// <param name="module">The module.</param>
    /// <param name="method">A method of it; of an async one that of its state machine.</param>
    public IReadOnlyList<SemaphoreSection> Of(IlModule module, int method)
    {
        if (!_known.TryGetValue((module.Address, method), out IReadOnlyList<SemaphoreSection>? sections))
        {
            _known.Add((module.Address, method), sections = [.. Find(module, method)]);
        }

        return sections;
    }

    private static IEnumerable<SemaphoreSection> Find(IlModule module, int method)
    {
        IReadOnlyList<IlInstruction> body = module.Body(method);
        Call[] calls =
        [
            .. Enumerable.Range(0, body.Count)
                .Where(index => body[index].Code is ILOpCode.Call or ILOpCode.Callvirt)
                .Select(index => (Place: body[index], Called: module.Names.Member(body[index].Operand), index))
                .Where(call => call.Called is { Type: DotNetTypes.SemaphoreSlim, Name: Release or "Wait" or WaitAsync })
                .Select(call => new Call(
                    call.Place, call.Called!.Name == Release, EnteredAt(module, body, call.index),
                    IlReceivers.FieldOf(module, body, call.index), HolderOf(module, body, call.index))),
        ];
        return calls.Any(call => call.Releases)
            ? calls.GroupBy(call => (call.Field, call.Holder))
                .SelectMany(ofOne => Sections(ofOne.Key.Field, [.. ofOne], module.Clauses(method)))
            : [];
    }

    private static IEnumerable<SemaphoreSection> Sections(string? field, Call[] calls, IReadOnlyList<IlClause> clauses)
    {
        foreach (IlClause clause in clauses.Where(clause => clause.IsFinally
            && Array.Exists(calls, call => call.Releases && clause.Handles(call.Place))))
        {
            // Where the entry is taken inside the block, what comes before that is without. Who takes none there gives a signal.
            int[] entered = [.. calls.Where(call => !call.Releases && call.EnteredAt <= clause.TryEnd).Select(call => call.EnteredAt)];
            if (entered.Length > 0)
            {
                yield return new SemaphoreSection(
                    field, entered.Where(place => place > clause.TryStart).DefaultIfEmpty(clause.TryStart).Min(), clause.TryEnd);
            }
        }

        foreach ((Call first, Call second) in calls.Zip(calls.Skip(1)).Where(pair => !pair.First.Releases && pair.Second.Releases))
        {
            yield return new SemaphoreSection(field, first.EnteredAt, second.Place.Offset);
        }
    }

    // Who awaits the entry has it when the await has its result.
    private static int EnteredAt(IlModule module, IReadOnlyList<IlInstruction> body, int call)
        => module.Names.Member(body[call].Operand)!.Name == WaitAsync
            && body.Skip(call).Cast<IlInstruction?>()
                .FirstOrDefault(next => next!.Value.IsCall && module.Names.Member(next.Value.Operand)?.Name == Result) is { } result
                ? result.End
                : body[call].End;

    // What leads to the object whose field it is: "seat.Free" and "next.Free" are two. Null for a static field and a variable.
    private static (ILOpCode Code, int Operand)? HolderOf(IlModule module, IReadOnlyList<IlInstruction> body, int call)
    {
        IlValues values = new(module, body);
        return values.SourceOf(call, module.Names.ShapeOf(body[call].Operand)?.Taken ?? 0) is { } source
            && body[source].Code is ILOpCode.Ldfld or ILOpCode.Call or ILOpCode.Callvirt
            && values.SourceOf(source, 1) is { } holder
            ? (body[holder].Code, body[holder].Operand)
            : null;
    }

    private sealed record Call(IlInstruction Place, bool Releases, int EnteredAt, string? Field, (ILOpCode, int)? Holder);
}
