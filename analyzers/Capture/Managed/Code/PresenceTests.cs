using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>
/// Branches that ask whether there is something to signal, as <c>closed?.SetResult();</c> makes one: while somebody waits for it, there is.
/// </summary>
internal static class PresenceTests
{
    /// <param name="body">The method.</param>
    /// <param name="branch">The place of a branch in it.</param>
    /// <param name="isSignal">The instruction is a call that signals what it is made on.</param>
    /// <returns>The place in the instructions where it continues with what there is; null for any other branch.</returns>
    public static int? WayOf(IlBody body, int branch, Func<IlInstruction, bool> isSignal)
    {
        IlInstruction test = body.Instructions[branch];
        if (test.Code is not (ILOpCode.Brtrue or ILOpCode.Brtrue_s or ILOpCode.Brfalse or ILOpCode.Brfalse_s)
            || !body.Instructions.Any(isSignal))
        {
            return null;
        }

        return TestedBy(body, branch) is not { } tested
            || !Enumerable.Range(0, body.Instructions.Count)
                .Any(index => isSignal(body.Instructions[index]) && ReceiverOf(body, index) is { } receiver
                    && IsSame(body.Instructions, tested.Source, receiver))
            ? null
            : tested.IsNegated == (test.Code is ILOpCode.Brfalse or ILOpCode.Brfalse_s) ? test.Operand : test.End;
    }

    // What is asked for, and whether the value of the question is true where there is none.
    private static (int Source, bool IsNegated)? TestedBy(IlBody body, int branch)
    {
        if (body.Values.SourceOf(branch, 1) is not { } source)
        {
            return null;
        }

        int answer = StoredIn(body, source) ?? source;
        return !Compares(body.Instructions[answer]) ? (answer, false)
            : body.Values.SourceOf(answer, 1) is { } nothing && body.Instructions[nothing].Code == ILOpCode.Ldnull
                && body.Values.SourceOf(answer, 2) is { } asked
                ? (asked, body.Instructions[answer].Code == ILOpCode.Ceq)
                : null;
    }

    // Code that is not optimised keeps the answer in a variable of its own.
    private static int? StoredIn(IlBody body, int read)
        => body.Instructions[read] is { ReadsVariable: true, Variable: { IsArgument: false } variable }
            && Enumerable.Range(0, body.Instructions.Count)
                .Where(index => body.Instructions[index] is { WritesVariable: true } write && write.Variable == variable).Take(2)
                .ToArray() is [var store]
            && body.Values.SourceOf(store, 1) is { } source
            && Compares(body.Instructions[source])
                ? source
                : null;

    private static bool Compares(IlInstruction instruction) => instruction.Code is ILOpCode.Cgt_un or ILOpCode.Ceq;

    private static int? ReceiverOf(IlBody body, int call)
        => body.Instructions[call].Code is ILOpCode.Call or ILOpCode.Callvirt
            && body.Module.Names.ShapeOf(body.Instructions[call].Operand) is { IsInstance: true } shape
            ? body.Values.SourceOf(call, shape.Taken)
            : null;

    // The same value, or read out of the same variable or field.
    private static bool IsSame(IReadOnlyList<IlInstruction> body, int one, int other)
        => one == other
            || (body[one].ReadsVariable && body[other].ReadsVariable && body[one].Variable == body[other].Variable)
            || (body[one].Code is ILOpCode.Ldfld or ILOpCode.Ldsfld && body[other].Code == body[one].Code
                && body[other].Operand == body[one].Operand);
}
