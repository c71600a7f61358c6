using System.Reflection.Metadata;
using HangTriage.Capture.Managed.Code;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Rounds;

/// <summary>
/// Reads the instructions of a loop, of the program's methods that it calls, and of those that objects it works with bring along, for
/// anything that could change its course from outside.
/// </summary>
internal sealed class ClosedCode(IlModules modules)
{
    private const int MostMethods = 256;
    private const string Constructor = ".ctor";
    private const string TypeConstructor = ".cctor";

    // What the framework calls of an object that it is given.
    private static readonly string[] s_calledBack =
        ["Equals", "GetHashCode", "CompareTo", "Compare", "MoveNext", "get_Current", "Dispose", "GetEnumerator", "ToString"];

    private readonly HashSet<(IlModule Module, int Method)> _read = [];
    private readonly Queue<(IlModule Module, int Method)> _open = [];
    private readonly HashSet<string> _virtual = [.. s_calledBack];
    private readonly HashSet<(IlModule Module, int Field)> _signals = [];
    private readonly HashSet<int> _written = [];

    /// <summary>The static fields that it reads.</summary>
    public HashSet<(IlModule Module, IlMember Field)> Statics { get; } = [];

    /// <summary>Nothing was found so far.</summary>
    public bool IsClosed { get; private set; } = true;

    /// <summary>The instructions of a loop.</summary>
    public void Add(IlModule module, IEnumerable<IlInstruction> loop)
    {
        foreach (IlInstruction instruction in loop)
        {
            Read(module, instruction);
        }

        Finish();
    }

    /// <summary>The methods that these objects bring along.</summary>
    public void Add(IEnumerable<ClrType> types, IEnumerable<ClrMethod> delegates)
    {
        foreach (ClrMethod method in types.Where(type => !type.IsArray && type.Name is { } name && !Frameworks.IsOwn(name))
            .SelectMany(type => type.Methods.Where(method => method.Name is { } name && _virtual.Contains(name))).Concat(delegates))
        {
            // Among the methods of a type are those that it has from the framework's.
            if (modules.Of(method) is { } module && module.Names.Member(method.MetadataToken) is { } member && member.Name == method.Name
                && member.Type == NameBrackets.Without(method.Type.Name!))
            {
                Open(module, method.MetadataToken);
            }
        }

        Finish();
    }

    /// <summary>Flags that it asks, and that methods set which are not its own nor below it on the stack: somebody else may.</summary>
    public bool AsksOthers(IReadOnlySet<int> below)
        => _signals.Any(signal => !_written.Contains(signal.Field) && signal.Module.Methods
            .Where(method => !_read.Contains((signal.Module, method)) && !below.Contains(method)
                && signal.Module.Names.Member(method)?.Name is not (Constructor or TypeConstructor))
            .Any(method => signal.Module.Body(method).Any(instruction => instruction.WritesField && instruction.Operand == signal.Field)));

    /// <summary>All that its variables can lead to are objects and the frame's own words.</summary>
    public static bool IsReadable(IlModule module, int method)
        => !module.HasPointers(method) && !module.Body(method).Any(instruction => instruction.Code is ILOpCode.Localloc or ILOpCode.Conv_u);

    private void Finish()
    {
        while (IsClosed && _open.TryDequeue(out (IlModule Module, int Method) next))
        {
            foreach (IlInstruction instruction in next.Module.Body(next.Method))
            {
                Read(next.Module, instruction);
            }
        }
    }

    private void Open(IlModule module, int method)
    {
        if (_read.Add((module, method)))
        {
            IsClosed &= _read.Count <= MostMethods && IsReadable(module, method);
            _open.Enqueue((module, method));
        }
    }

    private void Read(IlModule module, IlInstruction instruction)
    {
        if (instruction.Code
            is ILOpCode.Volatile or ILOpCode.Localloc or ILOpCode.Calli or ILOpCode.Cpblk or ILOpCode.Initblk or ILOpCode.Jmp)
        {
            IsClosed = false;
        }
        else if (instruction.IsCall)
        {
            ReadCall(module, instruction);
        }
        else if (instruction.ReadsField || instruction.Stores)
        {
            ReadField(module, instruction);
        }
    }

    private void ReadField(IlModule module, IlInstruction instruction)
    {
        if (module.Names.Member(instruction.Operand) is not { } field)
        {
            IsClosed = false;
            return;
        }

        if (instruction.Stores && field.IsOwn)
        {
            _written.Add(field.Definition);
        }

        if (instruction.Code is ILOpCode.Ldsfld or ILOpCode.Ldsflda or ILOpCode.Stsfld)
        {
            Statics.Add((module, field));
        }

        if (instruction.ReadsField && field.IsOwn && module.IsSignal(field.Definition))
        {
            _signals.Add((module, field.Definition));
        }
    }

    private void ReadCall(IlModule module, IlInstruction instruction)
    {
        if (module.Names.Member(instruction.Operand) is not { } called)
        {
            IsClosed = false;
            return;
        }

        if (!called.IsOwn)
        {
            IsClosed &= ClosedCalls.Contain(called.Type, called.Name);
            return;
        }

        Open(module, called.Definition);
        if (instruction.Code is ILOpCode.Callvirt or ILOpCode.Ldvirtftn && module.IsVirtual(called.Definition))
        {
            _virtual.Add(called.Name);
        }
    }
}
