using HangTriage.Capture.Managed.Code;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>
/// Who can still come to an instruction that uses a static field, or a variable that lambdas share: all lambdas of a method have one object
/// with all variables that one of them uses, and so has who runs another.
/// </summary>
internal sealed class FieldUsers(CodeUsers users, StaticSlots slots)
{
    private const int MostFields = 256;

    private readonly Dictionary<string, CodeUse> _known = new(StringComparer.Ordinal);

    /// <param name="array">One of the arrays in which the runtime keeps static fields.</param>
    /// <param name="target">The object that it holds.</param>
    /// <returns>Null where the fields are not all known, or somebody may use one that is not: then anybody can.</returns>
    public CodeUse? Of(ClrObject array, ulong target)
    {
        if (slots.FieldsOf(array, target) is not { } fields)
        {
            return null;
        }

        CodeUse[] uses = [.. fields.Select(Of)];
        return uses.Any(use => use.IsOpen) ? null
            : new CodeUse
            {
                Field = fields is [var field] ? field : null,
                Methods = [.. uses.SelectMany(use => use.Methods).Distinct()],
                Givers = [.. uses.SelectMany(use => use.Givers).Distinct()],
                By = [.. uses.SelectMany(use => use.By).Distinct()],
                Objects = [.. uses.SelectMany(use => use.Objects).Distinct()],
            };
    }

    /// <param name="variable">The field of the object that the lambdas share, as the program's instructions name it.</param>
    /// <returns>Null where anybody can: code that is not the program's, or an expression that names it.</returns>
    public CodeUse? OfVariable(string variable)
        => !users.Graph.IsNamedOtherwise(variable) && Of(variable) is { IsOpen: false } use ? use : null;

    private CodeUse Of(string field)
    {
        if (!_known.TryGetValue(field, out CodeUse? use))
        {
            use = _known.Count >= MostFields ? CodeUse.Open
                : MadeTypes.IsClosure(field) ? OfShared(field, field[..field.LastIndexOf('.')])
                : Find(field, users.Graph.UsersOf(field), owner: null);
            _known.Add(field, use);
        }

        return use;
    }

    // Who begins a method that makes such an object makes another one; who is in it is seen.
    private CodeUse OfShared(string variable, string owner)
        => Find(variable, [.. users.Graph.UsersOf(variable).Except(users.Graph.MakersOf(owner))], owner);

    private CodeUse Find(string field, IReadOnlyCollection<string> methods, string? owner)
        => users.Of(
            methods, users.Graph.GiversOf(field), (module, method, instruction) => users.Graph.Uses(module, method, instruction, field),
            owner: owner);
}
