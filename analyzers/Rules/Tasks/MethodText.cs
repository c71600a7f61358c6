namespace HangTriage.Rules.Tasks;

/// <summary>Writes method names as people say them: "Window.WorkAsync", "a lambda of Window.Button_Click".</summary>
internal static class MethodText
{
    public static string Short(string method)
    {
        string name = method.IndexOf("[[", StringComparison.Ordinal) is > 0 and int generic ? method[..generic] : method;
        int last = LastOutside(name, '.', name.Length);
        if (last <= 0)
        {
            return name;
        }

        int separator = Math.Max(LastOutside(name, '.', last), NestedIn(name, last));
        string type = name[(separator + 1)..last];
        string own = name[(last + 1)..];
        int closure = type.IndexOf("+<>c", StringComparison.Ordinal);
        type = closure > 0 ? type[..closure] : type;

        // <Main>b__1_0 is a lambda and <Main>g__Name|1_0 a local function of Main.
        return own.StartsWith('<') && own.IndexOf('>', StringComparison.Ordinal) is > 1 and int end
            ? own[(end + 1)..].StartsWith("g__", StringComparison.Ordinal) && own.IndexOf('|', StringComparison.Ordinal) is > 0 and int bar
                ? $"{type}.{own[1..end]}'s {own[(end + 4)..bar]}"
                : $"a lambda of {type}.{own[1..end]}"
            : $"{type}.{own}";
    }

    // Of a nested type the outer one says little, unless the nested one is the compiler's.
    private static int NestedIn(string name, int end)
    {
        int plus = LastOutside(name, '+', end);
        return plus > 0 && plus + 1 < name.Length && name[plus + 1] != '<' ? plus : -1;
    }

    private static int LastOutside(string text, char wanted, int end)
    {
        int depth = 0;
        int last = -1;
        for (int index = 0; index < end; index++)
        {
            depth += text[index] switch { '<' => 1, '>' => -1, _ => 0 };
            last = depth == 0 && text[index] == wanted ? index : last;
        }

        return last;
    }
}
