using System.Reflection.Metadata;
using HangTriage.Capture.Managed.Code;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Work;

/// <summary>
/// Finds a circle in the data that a loop walks: references that it follows one after the other until there is none, or that it keeps in a
/// queue or stack until that is empty. A loop that ends by anything else too, or that marks where it has been, is left alone.
/// </summary>
internal sealed class CircleFinder(IlModules modules)
{
    // The JIT inlines no longer method unless it is told to (DEFAULT_MAX_INLINE_SIZE), and what such calls seldom more than once.
    private const int LongestInlined = 100;
    private const int MostDepth = 2;

    /// <param name="frame">A frame of the program's own.</param>
    /// <param name="at">Where in its method's IL it is; null where that is unknown.</param>
    /// <param name="objects">What its variables refer to.</param>
    public WorkCircle? Find(ClrStackFrame frame, int? at, IReadOnlyList<ClrObject> objects)
    {
        if (modules.Of(frame.Method) is not { } module || ManagedStack.MethodName(frame.Method) is not { } name)
        {
            return null;
        }

        int token = frame.Method!.MetadataToken;
        return Find(module, name, Around(module.Body(token), at).Select(loop => (token, loop)), objects)
            ?? (at is null ? Find(module, name, Inlined(module, token), objects) : null);
    }

    private static WorkCircle? Find(IlModule module, string name, IEnumerable<(int Token, (int Start, int End) Bounds)> loops,
        IReadOnlyList<ClrObject> objects)
    {
        foreach ((int token, (int Start, int End) loop) in loops)
        {
            IlInstruction[] own = IlLoops.In(module.Body(token), loop);
            if (own.Any(instruction => IlExits.IsAbrupt(instruction, loop)))
            {
                continue;
            }

            if (LinkWalk.FieldOf(module, own, loop) is { } field && LinkWalk.Circle(objects, field) is { } circle)
            {
                return new WorkCircle(name, circle.Type, field.FullName, circle.Length, new Address(circle.Start));
            }

            if (WorkList.LinksOf(module, own, loop) is { Count: > 0 } links && WorkList.Circle(objects, links) is { } kept)
            {
                return new WorkCircle(name, kept.Type, kept.Field, kept.Length, new Address(kept.Start)) { Through = kept.Through };
            }
        }

        return null;
    }

    // Of code that was compiled anew while it ran, the loop may be that of a method which the compiler has put into it.
    private static IEnumerable<(int Token, (int Start, int End) Bounds)> Inlined(IlModule module, int token)
    {
        HashSet<int> seen = [token];
        List<int> level = [token];
        for (int depth = 0; depth < MostDepth; depth++)
        {
            level = [.. level.SelectMany(module.Body).Where(instruction => instruction.Code is ILOpCode.Call or ILOpCode.Callvirt)
                .Select(call => module.Names.Member(call.Operand) is { IsOwn: true } called && !module.IsVirtual(called.Definition)
                    ? called.Definition
                    : 0)
                .Where(called => called != 0 && module.Body(called) is { Count: > 0 } body && body[^1].End <= LongestInlined
                    && seen.Add(called))];
            foreach (int called in level)
            {
                foreach ((int Start, int End) loop in Around(module.Body(called), null))
                {
                    yield return (called, loop);
                }
            }
        }
    }

    // From the innermost out. Where the place is not known, the method is in its only loop, or in one of loops in each other.
    private static IEnumerable<(int Start, int End)> Around(IReadOnlyList<IlInstruction> body, int? at)
    {
        (int Start, int End)[] loops = [.. IlLoops.Longest(body).OrderBy(loop => loop.End - loop.Start)];
        if (at is { } place)
        {
            return loops.Where(loop => loop.Start <= place && loop.End > place);
        }

        return loops.Length > 0 && loops.All(loop => loop.Start >= loops[^1].Start && loop.End <= loops[^1].End) ? [loops[^1]] : [];
    }
}
