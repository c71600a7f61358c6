using System.Diagnostics.CodeAnalysis;
using HangTriage.Capture.Managed.Code;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Fields;

/// <summary>Fields in the words of a program's source.</summary>
internal static class FieldNames
{
    private const int FieldLimit = 256;

    /// <summary>As "App.Cache._items"; of the field behind a property the name of that.</summary>
    public static string Of(ClrType type, ClrField field) => $"{type.Name}.{Plain(field.Name)}";

    /// <summary>What the compiler has named after something: "&lt;gate&gt;5__2" and "&lt;gate&gt;k__BackingField" are gate.</summary>
    [return: NotNullIfNotNull(nameof(name))]
    public static string? Plain(string? name)
        => name is ['<', .. { } rest] && rest.IndexOf('>', StringComparison.Ordinal) is > 0 and int end ? rest[..end] : name;

    /// <summary>The compiler has made the type for the variables that a lambda uses.</summary>
    public static bool IsOfClosure(ClrType? type) => type?.Name is { } name && MadeTypes.IsClosure(name);

    /// <summary>What the fields of an object refer to, with their names; nothing of an array.</summary>
    public static IEnumerable<(ulong Address, string Name)> ReferencesOf(ulong address, ClrType? type)
        => type is { ContainsPointers: true, IsArray: false }
            ? type.Fields
                .Take(FieldLimit)
                .Where(field => field.IsObjectReference)
                .Select(field => (field.ReadObject(address, interior: false).Address, Of(type, field)))
                .Where(reference => reference.Address != 0)
            : [];
}
