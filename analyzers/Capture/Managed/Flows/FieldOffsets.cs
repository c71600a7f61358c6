using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>Where the fields of a type are.</summary>
internal static class FieldOffsets
{
    private const int Deepest = 3;

    /// <summary>The offset of a field that refers to an object, of the first of these names; -1 for none.</summary>
    public static int Reference(ClrType? type, params ReadOnlySpan<string> names)
    {
        foreach (string name in names)
        {
            if (type?.GetFieldByName(name) is { IsObjectReference: true } field)
            {
                return field.Offset;
            }
        }

        return -1;
    }

    /// <summary>The offset of a field of four bytes or, for a flag, one; -1 for none.</summary>
    public static int Number(ClrType? type, string name)
        => type?.GetFieldByName(name) is { IsObjectReference: false, Size: 1 or 4 } field ? field.Offset : -1;

    /// <summary>The offsets of all references in a structure, and in those that it is made of.</summary>
    /// <param name="field">Holds the structure, or refers to an object itself.</param>
    /// <param name="start">The offset of what has the field.</param>
    public static IEnumerable<int> References(ClrInstanceField field, int start) => References(field, start, Deepest);

    private static IEnumerable<int> References(ClrInstanceField field, int start, int depth)
    {
        int offset = start + field.Offset;
        if (field.IsObjectReference)
        {
            return [offset];
        }

        if (!field.IsValueType)
        {
            return [];
        }

        return field.Type is not { } type ? [offset]
            : type.IsPrimitive || depth == 0 ? []
            : type.Fields.SelectMany(inner => References(inner, offset, depth - 1));
    }
}
