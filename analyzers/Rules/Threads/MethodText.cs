using HangTriage.Facts.Calls;

namespace HangTriage.Rules.Threads;

/// <summary>Writes method names as people say them: "Window.WorkAsync", "a lambda of Window.Button_Click".</summary>
internal static class MethodText
{
    private const string ProgramMain = "<Main>$";

    private const string Lambda = "a lambda of ";

    // The field of a property that the compiler has made.
    private const string OfProperty = "k__BackingField";

    // What the compiler makes to wait for an asynchronous one.
    private const string AwaitedMain = "<Main>";

    public static string Short(string method)
    {
        string name = method.IndexOf("[[", StringComparison.Ordinal) is > 0 and int generic ? method[..generic] : method;
        int last = NameBrackets.LastOutside(name, '.', name.Length);
        if (last <= 0)
        {
            return name;
        }

        // A constructor's own name starts with a dot.
        last -= name[last - 1] == '.' ? 1 : 0;

        int separator = Math.Max(NameBrackets.LastOutside(name, '.', last), NestedIn(name, last));
        string type = name[(separator + 1)..last];
        string own = name[(last + 1)..];
        if (own == "MoveNext" && NameBrackets.LastOutside(type, '+', type.Length) is > 0 and int machine && type[machine + 1] == '<' && InBrackets(type[(machine + 1)..]) is { Length: > 0 } moved)
        {
            // The state machine of an async method.
            type = type[..machine];
            own = moved;
        }

        int closure = type.IndexOf("+<>c", StringComparison.Ordinal);
        type = closure > 0 ? type[..closure] : type;
        type = NestedIn(type, type.Length) is > 0 and int nested ? type[(nested + 1)..] : type;

        // <Main>b__1_0 is a lambda and <Main>g__Name|1_0 a local function of Main.
        if (own is ProgramMain or AwaitedMain || !own.StartsWith('<') || InBrackets(own) is not { Length: > 0 } outer)
        {
            return $"{type}.{Plain(own)}";
        }

        string rest = own[(outer.Length + 2)..];
        return rest == OfProperty ? $"{type}.{outer}"
            : rest.StartsWith("g__", StringComparison.Ordinal) && rest.IndexOf('|', StringComparison.Ordinal) is > 0 and int bar
            ? $"{type}.{Plain(outer)}'s {rest[3..bar]}"
            : $"{Lambda}{type}.{Plain(outer)}";
    }

    /// <summary>"async method Window.WorkAsync", "async lambda of Window.Button_Click".</summary>
    public static string Async(string method)
        => method == TaskCalls.OfOperation ? Short(method)
            : Short(method) is var name && name.StartsWith(Lambda, StringComparison.Ordinal) ? $"async {name[2..]}" : $"async method {name}";

    /// <summary>"Cache" of "App.Data.Cache" and of "App.Data+Cache".</summary>
    public static string Type(string type)
    {
        string name = type.IndexOf("[[", StringComparison.Ordinal) is > 0 and int generic ? type[..generic] : type;
        return name[(Math.Max(NameBrackets.LastOutside(name, '.', name.Length), NameBrackets.LastOutside(name, '+', name.Length)) + 1)..];
    }

    // The Main of a program whose statements stand outside of any method.
    private static string Plain(string method) => method is ProgramMain or AwaitedMain ? "Main" : method;

    private static string? InBrackets(string text) => NameBrackets.Closing(text) is > 0 and int end ? text[1..end] : null;

    // Of a nested type the outer one says little, unless the nested one is the compiler's.
    private static int NestedIn(string name, int end)
    {
        int plus = NameBrackets.LastOutside(name, '+', end);
        return plus > 0 && plus + 1 < name.Length && name[plus + 1] != '<' ? plus : -1;
    }
}
