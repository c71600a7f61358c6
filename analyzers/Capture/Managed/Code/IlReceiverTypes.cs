using System.Reflection.Metadata;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Code;

/// <summary>The static types of the objects that a method makes calls of interfaces on.</summary>
/// <param name="module">The module.</param>
/// <param name="method">The method.</param>
/// <param name="body">Its instructions.</param>
internal sealed class IlReceiverTypes(IlModule module, int method, IReadOnlyList<IlInstruction> body)
{
    private readonly Lazy<IlValues> _values = new(() => new IlValues(module, body));
    private readonly Lazy<IReadOnlyList<string>> _variables = new(() => module.VariablesOf(method));

    /// <param name="call">The place of a virtual call.</param>
    /// <returns>Without what a generic type is made of; null where the declaring type says as much, or it was not found out.</returns>
    public string? Of(int call)
        => module.Names.Member(body[call].Operand) is { IsOwn: false } called && IsInterface(called.Type)
            && module.Names.ShapeOf(body[call].Operand) is { IsInstance: true } shape
            && TypeAt(call, shape.Taken) is { } type && type.Contains('.', StringComparison.Ordinal)
                ? NameBrackets.Without(type.TrimEnd('&'))
                : null;

    private string? TypeAt(int at, int wanted)
    {
        if (_values.Value.SourceOf(at, wanted) is not { } source)
        {
            return null;
        }

        IlInstruction found = body[source];
        return found.Code switch
        {
            ILOpCode.Ldfld or ILOpCode.Ldsfld or ILOpCode.Ldflda or ILOpCode.Ldsflda => module.Names.TypeOfField(found.Operand),
            ILOpCode.Newobj => module.Names.Member(found.Operand)?.Type,
            ILOpCode.Call or ILOpCode.Callvirt => module.Names.ShapeOf(found.Operand)?.Result,
            ILOpCode.Ldloca or ILOpCode.Ldloca_s => Variable(found.Operand),
            var _ when found.ReadsVariable && !found.Variable.IsArgument => Variable(found.Operand),
            _ => null,
        };
    }

    private string? Variable(int number) => number >= 0 && number < _variables.Value.Count ? _variables.Value[number] : null;

    // IDisposable and its like.
    private static bool IsInterface(string type)
        => type.LastIndexOf('.') is var dot && dot + 2 < type.Length && type[dot + 1] == 'I' && char.IsUpper(type[dot + 2])
            && Frameworks.IsOwn(type);
}
