namespace HangTriage.Facts.Calls;

/// <summary>
/// Methods of .NET that answer by what they are given alone: no clock, no file, no other thread, no chance. A loop of such calls that comes
/// back to the same values comes back to them for ever.
/// </summary>
public static class ClosedCalls
{
    // By the beginning of the full name; the first that fits counts.
    private static readonly (string Start, bool IsClosed)[] s_rows =
    [
        ("System.Collections.Concurrent.", false),
        ("System.Collections.", true),
        ("System.Linq.Parallel", false),
        ("System.Linq.", true),
        ("System.Text.", true),
        ("System.Numerics.", true),
        ("System.Globalization.", true),
        ("System.Runtime.CompilerServices.Async", false),
        ("System.Runtime.CompilerServices.Task", false),
        ("System.Runtime.CompilerServices.Unsafe.", false),
        ("System.Runtime.CompilerServices.", true),
        ("System.Runtime.Intrinsics.", true),
        ("System.Buffers.Binary.", true),
        ("System.Buffers.SearchValues", true),
        ("System.Xml.Linq.", true),
        ("System.DateTime.get_Now", false),
        ("System.DateTime.get_UtcNow", false),
        ("System.DateTime.get_Today", false),
        ("System.DateTime.", true),
        ("System.DateOnly.", true),
        ("System.TimeOnly.", true),
        ("System.TimeSpan.", true),
        ("System.Guid.NewGuid", false),
        ("System.Guid.CreateVersion7", false),
        ("System.Guid.", true),
    ];

    // Of the namespace System alone.
    private static readonly string[] s_types =
    [
        "Array", "ArraySegment", "BitConverter", "Boolean", "Byte", "Char", "Comparison", "Convert", "Converter", "Decimal",
        "Double", "Enum", "Func", "Action", "Half", "HashCode", "IComparable", "IDisposable", "IEquatable", "IFormattable",
        "Index", "Int128", "Int16", "Int32", "Int64", "IntPtr", "Lazy", "Math", "MathF", "Memory", "MemoryExtensions", "Nullable",
        "Object", "Predicate", "Range", "ReadOnlyMemory", "ReadOnlySpan", "SByte", "Single", "Span", "String", "StringComparer",
        "Tuple", "Type", "UInt128", "UInt16", "UInt32", "UInt64", "UIntPtr", "Uri", "ValueTuple", "ValueType", "Version",
    ];

    private const string System = "System.";
    private const string Exception = "Exception";

    /// <param name="type">The type that declares it, without what a generic one is made of.</param>
    /// <param name="method">Its name.</param>
    public static bool Contain(string type, string method)
    {
        ArgumentNullException.ThrowIfNull(type);
        string name = $"{type}.{method}";
        foreach ((string start, bool isClosed) in s_rows)
        {
            if (name.StartsWith(start, StringComparison.Ordinal))
            {
                return isClosed;
            }
        }

        return type.EndsWith(Exception, StringComparison.Ordinal)
            || (type.StartsWith(System, StringComparison.Ordinal) && Array.IndexOf(s_types, type[System.Length..].Split('+')[0]) >= 0);
    }
}
