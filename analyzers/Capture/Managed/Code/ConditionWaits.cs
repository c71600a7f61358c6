using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>
/// Who waits for a condition, <c>while (!ready) Monitor.Wait(gate);</c>, is woken when it holds: that he tests it once more is a part of
/// his wait.
/// </summary>
internal static class ConditionWaits
{
    private const string Wait = "System.Threading.Monitor.Wait";
    private const string Getter = "get_";

    /// <param name="body">The method.</param>
    /// <param name="from">The place where it continues, behind a call.</param>
    /// <param name="index">An instruction that it comes to from there.</param>
    /// <returns>It is that call, a wait in a loop that does nothing but test and wait.</returns>
    public static bool IsLeft(IlBody body, int from, int index)
    {
        IlInstruction call = body.Instructions[index];
        return call.End == from && IsWait(body, call) && InnermostLoop(body, call.Offset) is { } loop
            && IlLoops.In(body.Instructions, loop).All(other => OnlyTests(body, other));
    }

    private static (int Start, int End)? InnermostLoop(IlBody body, int offset)
        => body.Loops.Where(loop => loop.Start <= offset && offset < loop.End).OrderBy(loop => loop.End - loop.Start)
            .Select(loop => ((int, int)?)loop).FirstOrDefault();

    private static bool IsWait(IlBody body, IlInstruction instruction)
        => instruction.IsCall && body.Module.Names.Member(instruction.Operand)?.FullName == Wait;

    private static bool OnlyTests(IlBody body, IlInstruction instruction)
        => instruction.IsCall
            ? IsWait(body, instruction)
                || body.Module.Names.Member(instruction.Operand)?.Name.StartsWith(Getter, StringComparison.Ordinal) == true
            : instruction.Code is not (ILOpCode.Stfld or ILOpCode.Stsfld or ILOpCode.Throw or ILOpCode.Ret);
}
