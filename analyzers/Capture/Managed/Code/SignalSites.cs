using System.Reflection.Metadata;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Code;

/// <summary>Where the program's instructions end waits, by the kind of what is waited for.</summary>
internal sealed class SignalSites
{
    // new EventWaitHandle(false, mode, "name"): other processes can open it.
    private const string Constructor = ".ctor";
    private const string Text = "String";

    private readonly Dictionary<SignalFamily, HashSet<string>> _methods = [];
    private readonly HashSet<SignalFamily> _open = [];
    private readonly Dictionary<(IlModule Module, int Token), SignalFamily[]> _given = [];

    /// <param name="module">The module.</param>
    /// <param name="method">The method that has the instruction.</param>
    /// <param name="instruction">Any instruction.</param>
    public void Add(IlModule module, string method, IlInstruction instruction)
    {
        if (!instruction.IsCall && instruction.Code != ILOpCode.Ldtoken)
        {
            return;
        }

        foreach (SignalFamily family in GivenBy(module, instruction.Operand))
        {
            if (!_methods.TryGetValue(family, out HashSet<string>? methods))
            {
                _methods.Add(family, methods = new HashSet<string>(StringComparer.Ordinal));
            }

            methods.Add(method);
            if (instruction.Code is ILOpCode.Ldftn or ILOpCode.Ldvirtftn or ILOpCode.Ldtoken)
            {
                // Whoever has the delegate calls the method, which is none of the program's.
                _open.Add(family);
            }
        }
    }

    /// <summary>The methods that have such an instruction; null where others than the program's code may end such waits.</summary>
    public IReadOnlyCollection<string>? MethodsOf(SignalFamily family)
        => _open.Contains(family) ? null : _methods.TryGetValue(family, out HashSet<string>? methods) ? methods : [];

    /// <summary>The instruction ends waits of that kind.</summary>
    public bool Gives(IlModule module, IlInstruction instruction, SignalFamily family)
        => instruction.IsCall && GivenBy(module, instruction.Operand).Contains(family);

    private SignalFamily[] GivenBy(IlModule module, int token)
    {
        if (!_given.TryGetValue((module, token), out SignalFamily[]? given))
        {
            given = module.Names.Member(token) is { IsOwn: false } called ? [.. Look(module, token, called).Distinct()] : [];
            _given.Add((module, token), given);
        }

        return given;
    }

    private IEnumerable<SignalFamily> Look(IlModule module, int token, IlMember called)
    {
        _open.UnionWith(SignalFamilies.ExposedBy(called.Type, called.Name));
        IEnumerable<SignalFamily> given = SignalFamilies.GivenBy(called.Type, called.Name);
        if (!Frameworks.IsOwn(called.Type))
        {
            return given;
        }

        IReadOnlyList<string> parameters = module.Names.ParameterTypesOf(token);
        if (called.Name == Constructor && parameters.Contains(Text) && SignalFamilies.Of(called.Type) is { Exposes.Count: > 0 } named)
        {
            _open.Add(named);
        }

        return given.Concat(parameters.SelectMany(parameter => SignalFamilies.HandedBy(called.FullName, parameter)));
    }
}
