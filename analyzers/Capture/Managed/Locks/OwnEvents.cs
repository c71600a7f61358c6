using System.Reflection.Metadata;
using HangTriage.Capture.Managed.Code;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>
/// Says whether a method waits for an event that it has made itself and gives to nobody, by its instructions:
/// <c>new ManualResetEvent(false).WaitOne()</c>, or the same with a variable of which it does no more than wait and dispose.
/// </summary>
internal static class OwnEvents
{
    private const string Threading = "System.Threading.";

    // These have no name, by which another process could open them.
    private static readonly string[] s_events =
        [Threading + "ManualResetEvent", Threading + "AutoResetEvent", Threading + "ManualResetEventSlim"];
    private static readonly string[] s_waits = [Threading + "WaitHandle.WaitOne", Threading + "ManualResetEventSlim.Wait"];
    private static readonly string[] s_ends = ["Dispose", "Close"];

    /// <summary>Null where its instructions are not in the input, and for methods of the framework.</summary>
    public static bool? IsAwaitedBy(ClrMethod? method)
    {
        if (method is null)
        {
            return null;
        }

        using IlModules modules = new();
        return modules.Of(method) is { } module
            && module.Body(method.MetadataToken) is { Count: > 0 } body
                ? IsAwaitedIn([.. body.Where(step => step.Code != ILOpCode.Nop)], module.Names.Member) : null;
    }

    /// <param name="body">The method's instructions, without those that do nothing.</param>
    /// <param name="nameOf">The method that a token stands for.</param>
    internal static bool IsAwaitedIn(IReadOnlyList<IlInstruction> body, Func<int, IlMember?> nameOf)
    {
        HashSet<int> own = [];
        foreach (int made in Enumerable.Range(0, body.Count)
            .Where(index => body[index].Code == ILOpCode.Newobj && nameOf(body[index].Operand) is { Name: ".ctor", Type: { } type }
                && s_events.Contains(type)))
        {
            if (WaitBehind(body, made + 1, nameOf) is { } wait)
            {
                own.Add(wait);
            }
            else if (made + 1 < body.Count
                && body[made + 1] is { WritesVariable: true, Variable: { IsArgument: false, Number: var variable } })
            {
                own.UnionWith(WaitsFor(body, variable, nameOf) ?? []);
            }
        }

        // One for another event, which somebody else may have, cannot be distinguished from them.
        return own.Count > 0 && Enumerable.Range(0, body.Count).Where(index => IsWait(body[index], nameOf)).All(own.Contains);
    }

    // Null where the variable has or does anything else.
    private static List<int>? WaitsFor(IReadOnlyList<IlInstruction> body, int variable, Func<int, IlMember?> nameOf)
    {
        List<int> waits = [];
        for (int index = 0; index < body.Count; index++)
        {
            IlInstruction step = body[index];
            bool isThis = step.Variable == (false, variable);
            if (isThis && step.Code is ILOpCode.Ldloca or ILOpCode.Ldloca_s)
            {
                return null;
            }

            if (isThis && step.WritesVariable && !(index > 0 && body[index - 1].Code == ILOpCode.Newobj))
            {
                return null;
            }

            if (!isThis || !step.ReadsVariable)
            {
                continue;
            }

            if (WaitBehind(body, index + 1, nameOf) is { } wait)
            {
                waits.Add(wait);
            }
            else if (index + 1 >= body.Count || !IsHarmless(body[index + 1], nameOf))
            {
                return null;
            }
        }

        return waits;
    }

    // Behind the numbers that it is called with.
    private static int? WaitBehind(IReadOnlyList<IlInstruction> body, int index, Func<int, IlMember?> nameOf)
    {
        while (index < body.Count && body[index].Code is >= ILOpCode.Ldc_i4_m1 and <= ILOpCode.Ldc_i4)
        {
            index++;
        }

        return index < body.Count && IsWait(body[index], nameOf) ? index : null;
    }

    private static bool IsWait(IlInstruction step, Func<int, IlMember?> nameOf)
        => step.Code is ILOpCode.Call or ILOpCode.Callvirt && nameOf(step.Operand) is { FullName: var name } && s_waits.Contains(name);

    // The end of a using statement looks whether there is something to dispose of.
    private static bool IsHarmless(IlInstruction step, Func<int, IlMember?> nameOf)
        => step.Code is ILOpCode.Brfalse or ILOpCode.Brfalse_s
            || (step.Code is ILOpCode.Call or ILOpCode.Callvirt && nameOf(step.Operand) is { Name: var name } && s_ends.Contains(name));
}
