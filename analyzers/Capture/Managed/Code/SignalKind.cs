using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Code;

/// <summary>Calls that end waits for objects of a family.</summary>
/// <param name="Family">The family.</param>
/// <param name="Field">
/// Those alone that may be made on what this field holds: all but those that are made on what another one holds; null for all.
/// </param>
internal readonly record struct SignalKind(SignalFamily Family, string? Field = null)
{
    /// <summary>Only those that are certainly made on what the field holds.</summary>
    public bool IsExact { get; init; }

    /// <summary>
    /// What is in a list, in a variable or on a stack: nothing counts that is made on a field into which only new objects are put, since
    /// what such a field holds is found by the field.
    /// </summary>
    public bool IsInNoField { get; init; }

    /// <summary>Those alone that are made on an object of the type; null for all.</summary>
    public ConstructedType? Type { get; init; }

    /// <summary>
    /// An object of the program's own has what they are made on: calls of libraries are made on others, unless the program gives such
    /// objects to a library or gets them from one.
    /// </summary>
    public bool IsOfProgram { get; init; }

    /// <summary>
    /// The program's method by which those that wait have asked for it: who comes to a call of it waits, too. Null where that is not known.
    /// </summary>
    public string? Entry { get; init; }

    /// <param name="field">The field whose object the call is made on; null where that is not known.</param>
    /// <param name="type">The type that the call names; null where it is another one.</param>
    public bool Has(string? field, ConstructedType? type) => HasField(field) && (Type is null || type is null || Type.Fits(type));

    private bool HasField(string? field) => IsExact ? field == Field : Field is null || field is null || field == Field;
}
