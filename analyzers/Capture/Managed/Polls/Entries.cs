using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Flows;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>
/// By which method of the program the async methods of a group have asked for what they wait for, where everybody who asks so is given the
/// next: the method that they await, or themselves, where that is all they wait for.
/// </summary>
internal static class Entries
{
    /// <returns>Null where that is not seen, and for a method that is given what is asked for.</returns>
    public static string? Of(FlowGrouping group, IlModules modules)
    {
        if (group.Sample is not { Method: { MoveNextToken: not 0 and int token } method, State: >= 0 and var state }
            || modules.Of(method.Machine) is not { } module
            || FlowPolls.AwaitOf(module, module.Body(token), state) is not { } at
            || EntryCalls.AwaitedAt(module, token, at) is not { } awaited
            || module.Names.Member(awaited.Operand) is not { } called)
        {
            return null;
        }

        return called.IsOwn ? Method(module, called)
            : module.Methods.Select(module.Names.Member).FirstOrDefault(member => member?.FullName == method.Name) is { } own
                ? Method(module, own)
                : null;
    }

    private static string? Method(IlModule module, IlMember member)
        => !module.IsVirtual(member.Definition) && EntryCalls.TakesTheNext(module.Names.ShapeOf(member.Definition)?.Parameters)
            ? member.FullName
            : null;
}
