using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Collections;

/// <summary>Tells whether a method of one generic type can be at work on an object of another: reference types share one code.</summary>
internal static class SharedCode
{
    private const string AnyReference = "System.__Canon";

    public static bool CanRunOn(ClrType? methodOf, ClrType? type)
    {
        if (methodOf?.Name is not { } method)
        {
            return false;
        }

        for (ClrType? at = type; at is not null; at = at.BaseType)
        {
            if (at.MethodTable == methodOf.MethodTable || (at.Name is { } name && Fits(method, name)))
            {
                return true;
            }
        }

        return false;
    }

    /// <param name="shared">As "Dictionary&lt;System.__Canon, System.Int32&gt;".</param>
    /// <param name="exact">As "Dictionary&lt;System.String, System.Int32&gt;".</param>
    internal static bool Fits(string shared, string exact)
    {
        (string sharedName, List<string> sharedArguments) = Parse(shared);
        (string exactName, List<string> exactArguments) = Parse(exact);
        return sharedName == exactName
            && sharedArguments.Count == exactArguments.Count
            && sharedArguments.Zip(exactArguments).All(pair => pair.First == pair.Second || pair.First == AnyReference || pair.First.Contains(AnyReference, StringComparison.Ordinal));
    }

    private static (string Name, List<string> Arguments) Parse(string type)
    {
        int start = type.IndexOf('<', StringComparison.Ordinal);
        List<string> arguments = [];
        if (start < 0)
        {
            return (type, arguments);
        }

        int depth = 0;
        int from = start + 1;
        int i = start;
        for (; i < type.Length; i++)
        {
            depth += type[i] switch { '<' or '[' => 1, '>' or ']' => -1, _ => 0 };
            if ((type[i] == ',' && depth == 1) || (depth == 0 && i > from))
            {
                arguments.Add(type[from..i].Trim());
                from = i + 1;
            }

            if (depth == 0)
            {
                break;
            }
        }

        // With what follows, so that a type and those within it differ: "Dictionary+Entry[]".
        return (type[..start] + type[Math.Min(i + 1, type.Length)..], arguments);
    }
}
