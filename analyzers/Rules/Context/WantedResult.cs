using HangTriage.Facts;

namespace HangTriage.Rules.Context;

/// <summary>
/// Whether somebody wants what a promise brings. Who keeps a process alive by a promise wants to know when it comes: such ones bring nothing,
/// or a flag, an object or an exit code.
/// </summary>
internal static class WantedResult
{
    private const string Task = "System.Threading.Tasks.Task<";
    private const string OfAll = "System.Threading.Tasks.Task+WhenAllPromise<";

    // Of the base library, Dataflow, Rx, MediatR and others.
    private static readonly string[] s_signs = ["VoidTaskResult", "VoidResult", "Unit", "Boolean", "Object", "Int32"];

    public static bool Is(FlowWait wait)
        => wait is { Kind: FlowWaitKind.Task, Type: { } type }
            && (type.StartsWith(Task, StringComparison.Ordinal) || type.StartsWith(OfAll, StringComparison.Ordinal))
            && !Array.Exists(s_signs, sign => type.EndsWith($".{sign}>", StringComparison.Ordinal));
}
