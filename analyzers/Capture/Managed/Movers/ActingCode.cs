using System.Reflection.Metadata;
using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Movers;

/// <summary>What of the program's code can come to a call that may end a wait of somebody else (<see cref="ObserverCalls"/>).</summary>
internal sealed class ActingCode
{
    // What the console gives, mostly; other writers are called by their own types.
    private const string Writers = "@System.IO.TextWriter";

    private readonly ProgramCode _code;
    private readonly HashSet<string> _leading;
    private readonly HashSet<ulong> _flows;

    public ActingCode(ProgramCode code, IlModules modules)
    {
        _code = code;
        HashSet<string> acting = new(StringComparer.Ordinal);
        foreach ((IlModule module, int method) in modules.Opened.SelectMany(module => module.Methods.Select(method => (module, method))))
        {
            if (module.Names.Member(method) is { } own
                && (IsNative(module, method) || module.Body(method).Any(instruction => IsActing(module, method, instruction))))
            {
                acting.Add(own.FullName);
            }
        }

        _leading = code.Graph.LeadingTo(acting, name => !IsLook(name));
        _flows =
        [
            .. code.Flows.Coming(Leads).Where(flow => !IsMain(flow)).Concat(code.Flows.ComingInLoops(Leads).Where(IsMain))
                .Select(flow => flow.Address),
        ];
    }

    public bool Comes(ClrThread thread) => _code.Search.CanComeInLoops(thread, _leading, IsActing);

    /// <param name="flow">The box of one that stands for its group.</param>
    public bool Comes(ulong flow) => _flows.Contains(flow);

    /// <summary>Null for a delegate of a method that is none of the program's.</summary>
    public (string Method, bool Acts)? Of(ulong found)
        => _code.Search.NameOf(found) is { } method ? (method, _leading.Contains(method)) : null;

    /// <summary>A method of which there is a delegate of this type can.</summary>
    public bool ComesByDelegate(Func<string, bool> isType)
        => _code.Delegates.Any(found => found.Type is { } type && isType(type) && _leading.Contains(found.Method));

    // Behind its loop the program ends.
    private static bool IsMain(FlowBox flow) => CallGraph.IsMain(flow.Method!.Name);

    private bool Leads(IlModule module, int method, IlInstruction instruction)
        => _code.Graph.Leads(module, method, instruction, _leading) || IsActing(module, method, instruction);

    // By its own name, or by that of its overrides: "Shop.Till.get_Open", "#WriteLine@System.IO.TextWriter".
    private static bool IsLook(string name)
        => name.EndsWith(Writers, StringComparison.Ordinal)
            || ObserverCalls.IsLook(
                name[0] == '#' ? name[1..name.IndexOf('@', StringComparison.Ordinal)] : name[(name.LastIndexOf('.') + 1)..]);

    // What stands in none of the program's modules, and is not known to be harmless.
    private bool IsActing(IlModule module, int method, IlInstruction instruction)
        => instruction.Code is ILOpCode.Calli or ILOpCode.Jmp
            || (instruction.Code is ILOpCode.Call or ILOpCode.Callvirt or ILOpCode.Newobj
                && (module.Names.Member(instruction.Operand) is not { } called
                    || (!called.IsOwn && _code.Graph.PlacesOf(called.FullName).Count == 0 && !IsOfDelegate(called)
                        && !ObserverCalls.Contains(called.Type, called.Name))));

    // Whoever a delegate stands for is among those that it leads to.
    private static bool IsOfDelegate(IlMember called) => called.Name == "Invoke" || CallbackTypes.ContainsKept(called.Type);

    private static bool IsNative(IlModule module, int method)
        => module.AttributesOf(method)?.HasFlag(System.Reflection.MethodAttributes.PinvokeImpl) == true;
}
