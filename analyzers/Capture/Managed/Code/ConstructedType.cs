using System.Text;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Code;

/// <summary>A type with what it is made of, as the heap and the instructions name it alike.</summary>
/// <param name="Definition">Its name without what it is made of, but for how many types these are: "Action&lt;1".</param>
/// <param name="Exact">
/// With what it is made of, each without its namespace; null where that can be any, or differ from what a call names: an action of
/// objects can be called as one of texts.
/// </param>
internal sealed record ConstructedType(string Definition, string? Exact)
{
    private const string Shared = "__Canon";
    private const string Root = "Object";

    private static readonly char[] s_ends = ['<', '>', ',', '[', ']', '&', '*'];

    /// <param name="name">As the runtime or <see cref="IlTypeNames"/> has it.</param>
    /// <param name="isVariant">A call can name another type than the object's: of a delegate or an interface.</param>
    public static ConstructedType Of(string name, bool isVariant = true)
    {
        int start = name.IndexOf('<', StringComparison.Ordinal);
        if (start <= 0)
        {
            return new ConstructedType(name, name);
        }

        string arguments = Short(name[start..]);
        bool isExact = NameBrackets.Closing(arguments) == arguments.Length - 1
            && !arguments.Contains(IlTypeNames.Any, StringComparison.Ordinal)
            && !arguments.Contains(Shared, StringComparison.Ordinal)
            && !(isVariant && arguments.Contains(Root, StringComparison.Ordinal));
        return new ConstructedType($"{name[..start]}<{Count(arguments)}", isExact ? arguments : null);
    }

    /// <summary>What stands for all objects of a family that are for the same items, whatever type of it is named.</summary>
    /// <param name="family">The family.</param>
    /// <param name="name">A type of it, constructed; null where it names no items.</param>
    public static ConstructedType? OfItems(SignalFamily family, string name)
        => name.IndexOf('<', StringComparison.Ordinal) is > 0 and int start
            && NameBrackets.Closing(name[start..]) == name.Length - start - 1
            ? Of(family.Name + name[start..])
            : null;

    /// <summary>A call that names the one may be made on an object of the other.</summary>
    public bool Fits(ConstructedType other)
        => Definition == other.Definition && (Exact is null || other.Exact is null || Exact == other.Exact);

    private static int Count(string arguments)
    {
        int depth = 0;
        int count = 1;
        foreach (char letter in arguments)
        {
            depth += letter switch { '<' => 1, '>' => -1, _ => 0 };
            count += letter == ',' && depth == 1 ? 1 : 0;
        }

        return count;
    }

    // Each name without its namespace and the types around it.
    private static string Short(string arguments)
    {
        StringBuilder text = new(arguments.Length);
        for (int at = 0; at < arguments.Length;)
        {
            int end = arguments.IndexOfAny(s_ends, at);
            end = end < 0 ? arguments.Length : end;
            string name = arguments[at..end].Trim();
            text.Append(name.AsSpan(name.LastIndexOfAny(['.', '+']) + 1));
            if (end < arguments.Length)
            {
                text.Append(arguments[end]);
            }

            at = end + 1;
        }

        return text.ToString();
    }
}
