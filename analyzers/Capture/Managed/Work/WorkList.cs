using System.Reflection.Metadata;
using HangTriage.Capture.Managed.Code;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Work;

/// <summary>
/// A loop that takes objects from a queue or stack and puts those in that they lead to, until nothing is left, and that keeps no account
/// of where it has been.
/// </summary>
internal static class WorkList
{
    private const string Generic = "System.Collections.Generic.";
    private const int MostObjects = 200_000;

    private static readonly string[] s_lists = [Generic + "Queue", Generic + "Stack"];
    private static readonly string[] s_takes = ["Dequeue", "TryDequeue", "Pop", "TryPop"];
    private static readonly string[] s_puts = ["Enqueue", "Push"];
    private static readonly string[] s_asks = ["get_Count", "TryDequeue", "TryPop"];

    // What is done with the objects on the way: no more than going over those that they lead to.
    private static readonly string[] s_walks =
        ["get_Current", "MoveNext", "GetEnumerator", "Dispose", "get_Item", "get_Count", "get_Length"];

    /// <summary>The fields that lead from one object to the next; empty for another loop.</summary>
    public static IReadOnlyList<IlMember> LinksOf(IlModule module, IlInstruction[] loop, (int Start, int End) bounds)
    {
        List<IlMember> links = [];
        bool takes = false;
        bool puts = false;
        for (int index = 0; index < loop.Length; index++)
        {
            IlInstruction instruction = loop[index];
            if (LinkWalk.Field(module, instruction) is { } link)
            {
                links.Add(link);
            }
            else if (instruction.IsCall)
            {
                if (module.Names.Member(instruction.Operand) is not { } called
                    || (!Is(called, s_takes) && !Is(called, s_puts) && !Is(called, s_asks)
                    && (called.IsOwn || Array.IndexOf(s_walks, called.Name) < 0)))
                {
                    return [];
                }

                takes |= Is(called, s_takes);
                puts |= Is(called, s_puts);
            }
            else if (Marks(instruction) || (instruction is { IsBranch: true, IsJump: false } && !IsExpected(module, loop, index, bounds)))
            {
                return [];
            }
        }

        return takes && puts ? links : [];
    }

    /// <param name="objects">What the frame's variables refer to.</param>
    /// <param name="links">The fields that lead on.</param>
    public static (string Type, string Field, int Length, ulong Start, string Through)? Circle(IReadOnlyList<ClrObject> objects,
        IReadOnlyList<IlMember> links)
    {
        foreach (ClrObject list in objects
            .Where(found => found.Type?.Name is { } name
                && Array.Exists(s_lists, type => name.StartsWith(type + "<", StringComparison.Ordinal))))
        {
            ClrObject[] items = [.. ItemsOf(list), .. objects];
            if (new CircleSearch(links, MostObjects).Find(items
                .Where(item => links.Any(link => LinkWalk.Has(item.Type, link)))) is { } circle)
            {
                return (circle.Type, circle.Field, circle.Length, circle.Start, list.Type!.Name!);
            }
        }

        return null;
    }

    private static bool Is(IlMember called, string[] names)
        => Array.IndexOf(names, called.Name) >= 0 && Array.Exists(s_lists, type => called.Type.StartsWith(type, StringComparison.Ordinal));

    private static bool Marks(IlInstruction instruction)
        => instruction.Stores
            || instruction.Code is (>= ILOpCode.Stelem_i and <= ILOpCode.Stelem_ref) or ILOpCode.Stelem or (>= ILOpCode.Stind_ref and <= ILOpCode.Stind_r8) or ILOpCode.Stind_i or ILOpCode.Stobj;

    // It asks whether something is left in the list, or is the end of a loop over what an object leads to.
    private static bool IsExpected(IlModule module, IlInstruction[] loop, int index, (int Start, int End) bounds)
        => IlExits.IsConditional(loop[index], bounds)
            ? loop.Take(index).Reverse().TakeWhile(before => !before.IsBranch)
                .Any(before => before.IsCall && module.Names.Member(before.Operand) is { } called && Is(called, s_asks))
            : loop[index].Operand < loop[index].Offset;

    private static IEnumerable<ClrObject> ItemsOf(ClrObject list)
        => list.Type?.GetFieldByName("_array") is not null && list.ReadObjectField("_array") is { IsNull: false } array
            ? CircleSearch.Elements(array)
            : [];
}
