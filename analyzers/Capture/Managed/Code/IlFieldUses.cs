using System.Reflection.Metadata;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Code;

/// <summary>What is done with a field behind the instruction that names it.</summary>
internal static class IlFieldUses
{
    private const int Near = 12;
    private const string Interlocked = "System.Threading.Interlocked";
    private const string Volatile = "System.Threading.Volatile";

    /// <summary>
    /// The first method of .NET's signals that is called on what the field holds; null where it goes to a variable, or none is near.
    /// </summary>
    public static string? SignalledBy(IlModule module, IReadOnlyList<IlInstruction> body, int index)
    {
        if (index + 1 >= body.Count || body[index + 1].WritesVariable || body[index].Code == ILOpCode.Ldsflda)
        {
            return null;
        }

        for (int next = index + 1; next < body.Count && next <= index + Near && body[next].Code != ILOpCode.Ldsfld; next++)
        {
            if (body[next].IsCall && module.Names.Member(body[next].Operand) is { } called)
            {
                return SignalUses.Has(called.Type) ? called.Name : null;
            }
        }

        return null;
    }

    /// <summary>The instruction takes the place of the field, and reads it: Volatile.Read.</summary>
    public static bool IsRead(IlModule module, IReadOnlyList<IlInstruction> body, int index)
        => !body[index].Stores && index + 1 < body.Count && body[index + 1].IsCall
            && module.Names.Member(body[index + 1].Operand) is { Name: "Read" };

    /// <summary>The method is given the place of a field first, and hands out what it held.</summary>
    public static bool HandsOut(IlMember called)
        => called is { Type: Interlocked, Name: "Exchange" or "CompareExchange" } or { Type: Volatile, Name: "Read" };
}
