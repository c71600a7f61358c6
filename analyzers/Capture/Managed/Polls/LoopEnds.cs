using System.Reflection.Metadata;
using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Says of a suspended async method whether the loop that it goes round can end, and whether by a cancellation token.</summary>
internal sealed class LoopEnds(IlModules modules)
{
    private const string TokenType = "System.Threading.CancellationToken";
    private const string Builder = "<>t__builder";
    private const int MostDepth = 3;

    // Who waits there is told by an exception that nothing more comes.
    private static readonly string[] s_closing =
        ["System.Collections.Concurrent.BlockingCollection", "System.Threading.Channels.", "System.Threading.SemaphoreSlim", "System.Net.", "System.IO.Pipe", "System.IO.Stream", "System.Func", "System.Action"];

    /// <summary>Null for one that goes round no loop, and where its instructions are not in the input.</summary>
    public FlowLoopEnd? Of(FlowBox sample)
    {
        if (sample.Method is not { MoveNextToken: not 0 and int token } method || modules.Of(method.Machine) is not { } module)
        {
            return null;
        }

        IReadOnlyList<IlInstruction> body = module.Body(token);
        if (FlowPolls.AwaitOf(module, body, sample.State) is not { } at || IlLoops.Around(body, at) is not { } inner)
        {
            return null;
        }

        (int Start, int End) loop = Outermost(body, inner);
        IlInstruction[] own = IlLoops.In(body, loop);
        HashSet<string> tokens = [.. method.Machine.Fields.Where(field => field.Type?.Name == TokenType).Select(field => field.Name).OfType<string>()];
        HashSet<int> asked = [];
        return UsesToken(module, own, tokens, asked, MostDepth) ? FlowLoopEnd.Token
            : own.Any(instruction => Leaves(body, instruction, loop)) || own.Concat(asked.SelectMany(module.Body)).Any(instruction => MayThrow(module, instruction)) ? FlowLoopEnd.WithoutToken
            : FlowLoopEnd.None;
    }

    // What a loop in a loop does the outer one does, too.
    private static (int Start, int End) Outermost(IReadOnlyList<IlInstruction> body, (int Start, int End) loop)
    {
        foreach ((int start, int end) in IlLoops.WaitLoops(body).OrderBy(found => found.End - found.Start))
        {
            loop = start <= loop.Start && end >= loop.End ? (start, end) : loop;
        }

        return loop;
    }

    // An await leaves the method for its last instruction, and comes back. Where a switch leads is not read.
    private static bool Leaves(IReadOnlyList<IlInstruction> body, IlInstruction instruction, (int Start, int End) loop)
        => instruction.Code is ILOpCode.Ret or ILOpCode.Switch
            || (instruction is { IsBranch: true, IsJump: false } && instruction.End == loop.End)
            || (instruction.IsBranch && IlExits.IsOut(instruction, loop) && !IsReturn(body, instruction.Operand));

    private static bool IsReturn(IReadOnlyList<IlInstruction> body, int at)
        => body.Where(instruction => instruction.Offset >= at).SkipWhile(instruction => instruction.Code == ILOpCode.Nop).FirstOrDefault().Code == ILOpCode.Ret;

    // What a closed queue or connection throws ends a loop, and so may what is called in code that was not read.
    private static bool MayThrow(IlModule module, IlInstruction instruction)
        => instruction.Code == ILOpCode.Throw
            || (instruction.IsCall && (module.Names.Member(instruction.Operand) is not { } called
                || (called.IsOwn ? module.Body(called.Definition).Count == 0 && called.Name is not (".ctor" or "MoveNext") : !Frameworks.IsOwn(called.FullName) || Array.Exists(s_closing, type => called.FullName.StartsWith(type, StringComparison.Ordinal)))));

    private static int MoveNextOf(IlModule module, string machine)
        => module.Methods.FirstOrDefault(method => module.Names.Member(method) is { Name: "MoveNext" } found && found.Type == machine);

    /// <param name="module">The module.</param>
    /// <param name="code">The instructions.</param>
    /// <param name="tokens">The variables of the method that are tokens.</param>
    /// <param name="asked">Gains the methods of the module that were read, too.</param>
    /// <param name="depth">How many methods deep these are read.</param>
    private static bool UsesToken(IlModule module, IReadOnlyList<IlInstruction> code, HashSet<string> tokens, HashSet<int> asked, int depth)
    {
        foreach (IlInstruction instruction in code)
        {
            if (!(instruction.ReadsField || instruction.IsCall) || module.Names.Member(instruction.Operand) is not { } member)
            {
                continue;
            }

            // An async method's own code is that of its state machine, which the method only starts.
            if (instruction.ReadsField && member.Name == Builder)
            {
                if (depth < MostDepth && MoveNextOf(module, member.Type) is not 0 and int machine && asked.Add(machine) && UsesToken(module, module.Body(machine), [], asked, depth - 1))
                {
                    return true;
                }

                continue;
            }

            if (instruction.ReadsField ? tokens.Contains(member.Name) || PollCalls.IsOrderToEnd(member.Name) || IsToken(member.Name) : IsToken(member.FullName))
            {
                return true;
            }

            int next = instruction.IsCall && member.IsOwn ? member.Definition : 0;
            if (next != 0 && asked.Add(next) && (depth == 0 || UsesToken(module, module.Body(next), [], asked, depth - 1)))
            {
                return true;
            }
        }

        return false;
    }

    private static bool IsToken(string name)
        => name is "ct" or "_ct"
            || name.Contains("ApplicationStopp", StringComparison.Ordinal)
            || (name.Contains("Token", StringComparison.OrdinalIgnoreCase) && !name.EndsWith("CancellationToken.get_None", StringComparison.Ordinal));
}
