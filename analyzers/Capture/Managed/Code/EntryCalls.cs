using System.Reflection.Metadata;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Code;

/// <summary>
/// Calls that take something of which none is left, and wait for it without a limit: an entry of a semaphore, a thing of the program's own
/// pool. Who comes to one gives none back before somebody else has. It holds where one object gives them out: those of another one could be
/// given back behind such a call.
/// </summary>
internal sealed class EntryCalls
{
    private const string Token = "CancellationToken";
    private const int NearCall = 3;

    // What the compiler calls on what is awaited, and what waits for a task.
    private static readonly string?[] s_awaiting = ["GetAwaiter", "get_IsCompleted", "ConfigureAwait", "AsTask", "Wait", "get_Result"];

    private readonly string? _field;
    private readonly string? _method;
    private readonly Dictionary<(IlModule, int, int), bool> _known = [];

    private EntryCalls(string? field, string? method)
    {
        _field = field;
        _method = method;
    }

    /// <param name="field">The field that holds a semaphore; null for none.</param>
    /// <param name="method">A method that gives one out, and is awaited where it is called; null for none.</param>
    /// <returns>Null where there is neither.</returns>
    public static EntryCalls? Of(string? field, string? method) => field is null && method is null ? null : new EntryCalls(field, method);

    /// <summary>It is given nothing by which another thing could be meant than the next.</summary>
    public static bool TakesTheNext(IReadOnlyList<string>? parameters)
        => parameters?.All(parameter => parameter.EndsWith(Token, StringComparison.Ordinal)) == true;

    public bool Contains(IlModule module, int method, IlInstruction instruction)
    {
        if (instruction.Code is not (ILOpCode.Call or ILOpCode.Callvirt))
        {
            return false;
        }

        (IlModule, int, int) place = (module, method, instruction.Offset);
        if (!_known.TryGetValue(place, out bool isOne))
        {
            isOne = IsOne(module, method, instruction);
            _known.Add(place, isOne);
        }

        return isOne;
    }

    /// <summary>The method is at such a call, or awaits what it returns.</summary>
    /// <param name="module">The module.</param>
    /// <param name="method">Its method.</param>
    /// <param name="at">Behind the call that it is in, or where it is suspended.</param>
    public bool IsAt(IlModule module, int method, int at)
        => AwaitedAt(module, method, at) is { } last && Contains(module, method, last);

    /// <summary>The last call before the place that is none of an await itself; null for none.</summary>
    public static IlInstruction? AwaitedAt(IlModule module, int method, int at)
        => module.Body(method).LastOrDefault(call => call.End <= at && call.IsCall && !IsOfAwait(module, call)) is { IsCall: true } last
            ? last
            : null;

    private static bool IsOfAwait(IlModule module, IlInstruction call) => s_awaiting.Contains(module.Names.Member(call.Operand)?.Name);

    private bool IsOne(IlModule module, int method, IlInstruction instruction)
    {
        if (module.Names.Member(instruction.Operand) is not { } called
            || !TakesTheNext(module.Names.ShapeOf(instruction.Operand)?.Parameters))
        {
            return false;
        }

        IReadOnlyList<IlInstruction> body = module.Body(method);
        int at = Enumerable.Range(0, body.Count).First(index => body[index].Offset == instruction.Offset);
        return (called.FullName == _method && body.Skip(at + 1).Take(NearCall).Any(next => next.IsCall && IsOfAwait(module, next)))
            || (_field is not null && called.Name is "Wait" or "WaitAsync"
                && SignalFamilies.Of(called.Type) is { } family && SignalFamilies.IsSemaphore(family)
                && IlReceivers.FieldOf(module, body, at) == _field);
    }
}
