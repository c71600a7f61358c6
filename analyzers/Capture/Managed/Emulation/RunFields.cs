using HangTriage.Capture.Managed.Code;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Emulation;

/// <summary>
/// The fields that code which was run asks and that are made to be changed by others: flags, volatile ones, and those whose address it
/// takes, as for an atomic exchange. Of a loop that has one state alone, which may be there to wait, all that it asks. Methods that it
/// calls may be compiled into it: what they ask counts, too.
/// </summary>
/// <param name="isOneState">Each of its rounds is as the last.</param>
internal sealed class RunFields(bool isOneState)
{
    // What is inlined calls what is inlined, too, and that seldom more than twice.
    private const int MostDepth = 3;

    // What others do is asked for of the fields that these are given.
    private static readonly string[] s_atomic = ["System.Threading.Interlocked", "System.Threading.Volatile"];

    private readonly HashSet<(IlModule Module, int Method, int Offset)> _run = [];
    private readonly HashSet<(IlModule Module, int Field)> _asked = [];

    private readonly HashSet<(IlModule Module, int Method)> _inlined = [];

    // A field of another assembly, of which it is not looked up who sets it, or a method that answers by more than what it is given.
    private bool _asksElsewhere;

    /// <summary>It answers by what it is given alone, or is one of those of which the field is looked up.</summary>
    public static bool IsClosed(string type, string method) => ClosedCalls.Contain(type, method) || Array.IndexOf(s_atomic, type) >= 0;

    /// <summary>What was run of a method.</summary>
    public void Add(IlModule module, int method, IEnumerable<IlInstruction> instructions) => Add(module, method, instructions, MostDepth);

    private void Add(IlModule module, int method, IEnumerable<IlInstruction> instructions, int depth)
    {
        foreach (IlInstruction instruction in instructions)
        {
            if (instruction.IsCall)
            {
                AddCall(module, instruction, depth);
            }

            if (!instruction.ReadsField && !instruction.WritesField)
            {
                continue;
            }

            _run.Add((module, method, instruction.Offset));
            if (instruction.Stores)
            {
                continue;
            }

            if (module.Names.Member(instruction.Operand) is not { IsOwn: true } field)
            {
                _asksElsewhere |= module.Names.Member(instruction.Operand) is not { Type: var type } || !Frameworks.IsOwn(type);
            }
            else if (isOneState || instruction.WritesField || module.IsSignal(field.Definition))
            {
                _asked.Add((module, field.Definition));
            }
        }
    }

    /// <summary>Other code than that which was run, and than what makes objects, sets one of them.</summary>
    public bool AreSetByOthers
        => _asksElsewhere || _asked.Any(asked => asked.Module.Methods
            .Where(method => asked.Module.Names.Member(method)?.Name is not (".ctor" or ".cctor") && !asked.Module.IsInitializer(method))
            .Any(method => Sets(asked.Module, method, asked.Field)));

    private void AddCall(IlModule module, IlInstruction call, int depth)
    {
        if (module.Names.Member(call.Operand) is not { } called)
        {
            _asksElsewhere = true;
        }
        else if (!called.IsOwn)
        {
            _asksElsewhere |= Frameworks.IsOwn(called.Type) && !IsClosed(called.Type, called.Name);
        }
        else if (depth > 0 && !module.IsVirtual(called.Definition) && module.CanBeInlined(called.Definition)
            && _inlined.Add((module, called.Definition)))
        {
            Add(module, called.Definition, module.Body(called.Definition), depth - 1);
        }
    }

    private bool Sets(IlModule module, int method, int field)
    {
        IReadOnlyList<IlInstruction> body = module.Body(method);
        return Enumerable.Range(0, body.Count).Any(index => body[index].WritesField && body[index].Operand == field
            && !_run.Contains((module, method, body[index].Offset)) && !IsRead(module, body, index));
    }

    // "Volatile.Read(ref field)" takes the address, and sets nothing.
    private static bool IsRead(IlModule module, IReadOnlyList<IlInstruction> body, int index)
        => !body[index].Stores && index + 1 < body.Count && body[index + 1].IsCall
            && module.Names.Member(body[index + 1].Operand)
                is { Name: "Read", Type: var type } && Array.IndexOf(s_atomic, type) >= 0;
}
