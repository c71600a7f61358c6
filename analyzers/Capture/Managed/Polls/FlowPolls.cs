using System.Reflection.Metadata;
using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Finds the loop that a suspended async method waits in: around the await at which it is suspended.</summary>
internal sealed class FlowPolls(IlModules modules)
{
    private const string State = "<>1__state";
    private const string Answer = "<>s__";
    private const string Result = "GetResult";
    private const int NearStore = 4;

    /// <summary>Null for one that is in none, or whose wait no time ends.</summary>
    public Poll? Of(FlowGrouping group)
    {
        FlowBox sample = group.Sample;
        if (sample.Method is not { MoveNextToken: not 0 and int token } method || !EndsByTime(group.Awaited) || modules.Of(method.Machine) is not { } module)
        {
            return null;
        }

        IReadOnlyList<IlInstruction> body = module.Body(token);
        return AwaitOf(module, body, sample.State) is { } at && IlLoops.Around(body, at) is { } loop
            && !EndsByAnswer(module, body, loop)
            && new LoopScan(module).Read(body, loop) is { } content && (content.Pauses || (content.Traits & PollTraits.TakesLock) != 0)
            ? new Poll(module, token, method.Name, content) { Flow = sample.Address }
            : null;
    }

    /// <summary>Where in MoveNext the await of that state is; null where it is not found.</summary>
    /// <remarks>Before the method is suspended at await N the compiler's code stores N as its state.</remarks>
    public static int? AwaitOf(IlModule module, IReadOnlyList<IlInstruction> body, int state)
    {
        for (int index = 0; index < body.Count; index++)
        {
            if (IsNumber(body[index], state)
                && body.Skip(index + 1).Take(NearStore).Any(next => next.Code == ILOpCode.Stfld && module.Names.Member(next.Operand)?.Name == State))
            {
                return body[index].Offset;
            }
        }

        return null;
    }

    /// <summary>Where the method takes the result of what it awaits there: what comes behind runs when that has completed.</summary>
    /// <param name="module">Its module.</param>
    /// <param name="body">MoveNext.</param>
    /// <param name="await">Where the await is.</param>
    public static int ResultOf(IlModule module, IReadOnlyList<IlInstruction> body, int await)
        => body.FirstOrDefault(instruction => instruction.Offset > await && instruction.IsCall
            && module.Names.Member(instruction.Operand)?.Name == Result) is { End: > 0, Offset: var at } ? at : await;

    // Whether it goes on is what it awaits that says: a tick that is the last.
    private static bool EndsByAnswer(IlModule module, IReadOnlyList<IlInstruction> body, (int Start, int End) loop)
        => Enumerable.Range(0, body.Count)
                .Where(index => IlLoops.IsIn(body[index], loop) && IlExits.IsConditional(body[index], loop)).ToArray()
                is { Length: > 0 } exits
            && exits.All(exit => IsAnswer(module, body, exit));

    // Code that is not optimised puts the answer into a variable or a field of its own, and reads that.
    private static bool IsAnswer(IlModule module, IReadOnlyList<IlInstruction> body, int exit)
        => body.Take(exit).LastOrDefault(before => before is { ReadsVariable: false, WritesVariable: false, Code: not ILOpCode.Nop }
                && !IsOfAnswer(module, before)) is { IsCall: true } call
            && module.Names.Member(call.Operand)?.Name == Result;

    private static bool IsOfAnswer(IlModule module, IlInstruction instruction)
        => instruction.Code is ILOpCode.Stfld or ILOpCode.Ldfld
            && module.Names.Member(instruction.Operand)?.Name.StartsWith(Answer, StringComparison.Ordinal) == true;

    private static bool EndsByTime(Awaited awaited) => awaited.Timed != 0 || awaited.Kind is FlowWaitKind.Delay or FlowWaitKind.Timer or FlowWaitKind.Queued;

    private static bool IsNumber(IlInstruction instruction, int number)
        => instruction.Operand == number
            && instruction.Code is ILOpCode.Ldc_i4 or ILOpCode.Ldc_i4_s or (>= ILOpCode.Ldc_i4_0 and <= ILOpCode.Ldc_i4_8);
}
