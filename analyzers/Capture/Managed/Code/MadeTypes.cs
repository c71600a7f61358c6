namespace HangTriage.Capture.Managed.Code;

/// <summary>Tells by its name what a type is that the compiler has made.</summary>
internal static class MadeTypes
{
    /// <summary>The state machine of an async method or an iterator.</summary>
    public static bool IsMachine(string type)
        => type.Contains("+<", StringComparison.Ordinal) && type.Contains(">d", StringComparison.Ordinal);

    /// <summary>One for the variables that a lambda uses.</summary>
    public static bool IsClosure(string type) => type.Contains("+<>c__DisplayClass", StringComparison.Ordinal);
}
