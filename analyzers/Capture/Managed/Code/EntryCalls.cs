using System.Reflection.Metadata;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Code;

/// <summary>
/// Calls that take an entry of the semaphore in one field, and wait for it without a limit. Who comes to one gives none back before
/// somebody else has. It holds where one object has the field: entries of another one's semaphore could be given back behind it.
/// </summary>
/// <param name="field">The field.</param>
internal sealed class EntryCalls(string field)
{
    private const string Token = "CancellationToken";

    // What the compiler calls on what is awaited.
    private static readonly string?[] s_awaiting = ["GetAwaiter", "get_IsCompleted", "ConfigureAwait", "AsTask"];

    private readonly Dictionary<(IlModule, int, int), bool> _known = [];

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
        => module.Body(method).LastOrDefault(call => call.End <= at && call.IsCall && !IsOfAwait(module, call)) is { IsCall: true } last
            && Contains(module, method, last);

    private static bool IsOfAwait(IlModule module, IlInstruction call) => s_awaiting.Contains(module.Names.Member(call.Operand)?.Name);

    private bool IsOne(IlModule module, int method, IlInstruction instruction)
    {
        if (module.Names.Member(instruction.Operand) is not { Name: "Wait" or "WaitAsync" } called
            || SignalFamilies.Of(called.Type) is not { } family || !SignalFamilies.IsSemaphore(family)
            || module.Names.ShapeOf(instruction.Operand)?.Parameters is not { } parameters
            || !parameters.All(parameter => parameter.EndsWith(Token, StringComparison.Ordinal)))
        {
            return false;
        }

        IReadOnlyList<IlInstruction> body = module.Body(method);
        int at = Enumerable.Range(0, body.Count).First(index => body[index].Offset == instruction.Offset);
        return IlReceivers.FieldOf(module, body, at) == field;
    }
}
