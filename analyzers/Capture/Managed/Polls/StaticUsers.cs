using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Who can still come to an instruction that uses a static field.</summary>
internal sealed class StaticUsers(CodeUsers users, StaticSlots slots)
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
            };
    }

    private CodeUse Of(string field)
    {
        if (!_known.TryGetValue(field, out CodeUse? use))
        {
            use = _known.Count < MostFields
                ? users.Of(
                    users.Graph.UsersOf(field),
                    users.Graph.GiversOf(field),
                    (module, method, instruction) => users.Graph.Uses(module, method, instruction, field))
                : CodeUse.Open;
            _known.Add(field, use);
        }

        return use;
    }
}
