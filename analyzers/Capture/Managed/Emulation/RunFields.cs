using HangTriage.Capture.Managed.Code;

namespace HangTriage.Capture.Managed.Emulation;

/// <summary>
/// The fields that code which was run asks and that are made to be changed by others: flags, volatile ones, and those whose address it
/// takes, as for an atomic exchange.
/// </summary>
internal sealed class RunFields
{
    private readonly HashSet<(IlModule Module, int Method, int Offset)> _run = [];
    private readonly HashSet<(IlModule Module, int Field)> _asked = [];

    /// <summary>A field of another assembly: who sets it is not looked up.</summary>
    private bool _asksElsewhere;

    /// <summary>What was run of a method.</summary>
    public void Add(IlModule module, int method, IEnumerable<IlInstruction> instructions)
    {
        foreach (IlInstruction instruction in instructions.Where(instruction => instruction.ReadsField || instruction.WritesField))
        {
            _run.Add((module, method, instruction.Offset));
            if (instruction.Stores)
            {
                continue;
            }

            if (module.Names.Member(instruction.Operand) is not { IsOwn: true } field)
            {
                _asksElsewhere |= !instruction.ReadsField || instruction.WritesField;
            }
            else if (instruction.WritesField || module.IsSignal(field.Definition))
            {
                _asked.Add((module, field.Definition));
            }
        }
    }

    /// <summary>Other code than that which was run, and than what makes objects, sets one of them.</summary>
    public bool AreSetByOthers
        => _asksElsewhere || _asked.Any(asked => asked.Module.Methods
            .Where(method => asked.Module.Names.Member(method)?.Name is not (".ctor" or ".cctor"))
            .Any(method => Sets(asked.Module, method, asked.Field)));

    private bool Sets(IlModule module, int method, int field)
    {
        IReadOnlyList<IlInstruction> body = module.Body(method);
        return Enumerable.Range(0, body.Count).Any(index => body[index].WritesField && body[index].Operand == field
            && !_run.Contains((module, method, body[index].Offset)) && !IsRead(module, body, index));
    }

    // "Volatile.Read(ref field)" takes the address, and sets nothing.
    private static bool IsRead(IlModule module, IReadOnlyList<IlInstruction> body, int index)
        => !body[index].Stores && index + 1 < body.Count && body[index + 1].IsCall
            && module.Names.Member(body[index + 1].Operand) is { Name: "Read", Type: "System.Threading.Volatile" or "System.Threading.Interlocked" };
}
