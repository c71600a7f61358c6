using System.Reflection.Metadata;
using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Sources;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Work;

/// <summary>Says of the loop that a thread is in what its end depends on.</summary>
internal sealed class LoopReader(SourceLines sources)
{
    private const int MostOfCondition = 12;
    private const int MostNames = 4;

    private readonly Dictionary<(ulong Method, int? At), WorkLoop?> _known = [];

    public WorkLoop? Of(IlModule module, ClrMethod method, int? at)
    {
        if (!_known.TryGetValue((method.MethodDesc, at), out WorkLoop? loop))
        {
            IReadOnlyList<IlInstruction> body = module.Body(method.MetadataToken);
            loop = (at is { } place ? IlLoops.Around(body, place) : OnlyLoop(body)) is { } found
                ? Describe(module, method, body, found, at ?? found.Start)
                : null;
            _known.Add((method.MethodDesc, at), loop);
        }

        return loop;
    }

    // A method that was compiled anew while it ran has no map: it is in its loop, if there is but one.
    private static (int Start, int End)? OnlyLoop(IReadOnlyList<IlInstruction> body)
        => IlLoops.Longest(body).ToArray() is [var only] ? only : null;

    private WorkLoop Describe(IlModule module, ClrMethod method, IReadOnlyList<IlInstruction> body, (int Start, int End) loop, int at)
    {
        IlInstruction[] own = IlLoops.In(body, loop);
        List<string> names = [];
        foreach (IlInstruction exit in own.Where(instruction => IlExits.IsConditional(instruction, loop)))
        {
            IlInstruction[] condition =
                [.. own.Where(instruction => instruction.End <= exit.Offset).Reverse().TakeWhile(instruction => !instruction.IsBranch)
                    .Take(MostOfCondition)];
            names.AddRange(condition.SelectMany(instruction => NamesOf(module, instruction)));
            foreach (IlInstruction read in condition.Where(instruction => instruction.ReadsVariable))
            {
                names.AddRange(SetFrom(own, read).SelectMany(instruction => NamesOf(module, instruction)));
            }
        }

        return new WorkLoop(loop.Start, loop.End, [.. names.Distinct(StringComparer.Ordinal).Take(MostNames)])
        {
            IsBounded = IlBounds.EndsByItself(module, body, at, from: loop.Start),
            Catches = module.Clauses(method.MetadataToken).Any(clause => clause.Catches && clause.Protects(at)
                && IlLoops.Longest(body).Any(around => around.Start <= clause.TryStart && clause.TryEnd <= around.End)),
            Allocates = own.Any(instruction => instruction.Code is ILOpCode.Newobj or ILOpCode.Newarr or ILOpCode.Box),
            Source = sources.OfIl(method, loop.Start),
        };
    }

    // What goes into the variable anew in each round.
    private static IEnumerable<IlInstruction> SetFrom(IlInstruction[] loop, IlInstruction read)
        => Enumerable.Range(0, loop.Length)
            .Where(index => loop[index].WritesVariable && loop[index].Variable == read.Variable)
            .SelectMany(index => loop.Take(index).Reverse().TakeWhile(instruction => !instruction.IsBranch && !instruction.WritesVariable)
            .Take(MostOfCondition));

    private static IEnumerable<string> NamesOf(IlModule module, IlInstruction instruction)
        => (instruction.ReadsField || instruction.Code is ILOpCode.Call or ILOpCode.Callvirt)
            && module.Names.Member(instruction.Operand) is { } member
            ? [$"{member.Type}.{(member.Name.StartsWith("get_", StringComparison.Ordinal) ? member.Name[4..] : member.Name)}"]
            : [];
}
