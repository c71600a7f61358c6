using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>
/// Fields that the compiler makes of variables: of a lambda's, and of an async method's parameters. What such a variable has can come from
/// elsewhere, and the object with the field need not be there yet.
/// </summary>
internal sealed class PassedVariables
{
    private readonly Dictionary<string, IReadOnlyList<(int Method, int Offset)>> _known = new(StringComparer.Ordinal);

    /// <param name="module">The module whose code has it.</param>
    /// <param name="field">A field's full name.</param>
    /// <returns>Where such a field is given more than what is made for it there; empty for any other.</returns>
    public IReadOnlyList<(int Method, int Offset)> GivenIn(IlModule module, string field)
    {
        if (!_known.TryGetValue(field, out IReadOnlyList<(int Method, int Offset)>? places))
        {
            places = [.. Find(module, field)];
            _known.Add(field, places);
        }

        return places;
    }

    private static IEnumerable<(int Method, int Offset)> Find(IlModule module, string field)
    {
        int dot = field.LastIndexOf('.');
        string type = field[..dot];
        bool isVariable = MadeTypes.IsClosure(type) || (MadeTypes.IsMachine(type) && field[dot + 1] != '<');
        return isVariable
            ? module.MethodsWithin(type[..type.IndexOf('+', StringComparison.Ordinal)])
                .SelectMany(method => GivenIn(module, method, field).Select(offset => (method, offset)))
            : [];
    }

    private static IEnumerable<int> GivenIn(IlModule module, int method, string field)
    {
        IReadOnlyList<IlInstruction> body = module.Body(method);
        return Enumerable.Range(0, body.Count)
            .Where(index => body[index].Code == ILOpCode.Stfld
                && module.Names.Member(body[index].Operand)?.FullName == field
                && !(new IlValues(module, body).SourceOf(index, 1) is { } source && body[source].Code == ILOpCode.Newobj))
            .Select(index => body[index].Offset);
    }
}
