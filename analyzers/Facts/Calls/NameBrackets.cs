namespace HangTriage.Facts.Calls;

/// <summary>Angle brackets in names that a compiler made: <c>&lt;Run&gt;d__1</c>, <c>Cache&lt;App.Key&gt;.Load</c>.</summary>
public static class NameBrackets
{
    /// <summary>Where the bracket closes that the text begins with; -1 where it does not.</summary>
    public static int Closing(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        int depth = 0;
        for (int index = 0; index < text.Length; index++)
        {
            depth += text[index] switch { '<' => 1, '>' => -1, _ => 0 };
            if (depth == 0)
            {
                return index;
            }
        }

        return -1;
    }

    /// <summary>What a generic type is made of left out: "Shop.Node" of "Shop.Node&lt;System.Int32&gt;". Names that a compiler made
    /// stay.</summary>
    public static string Without(string type)
    {
        ArgumentNullException.ThrowIfNull(type);
        for (int at = type.IndexOf('<', StringComparison.Ordinal); at >= 0; at = type.IndexOf('<', at + 1))
        {
            if (at > 0 && char.IsLetterOrDigit(type[at - 1]) && Closing(type[at..]) is > 0 and int length)
            {
                type = type.Remove(at, length + 1);
                at--;
            }
        }

        return type;
    }

    /// <summary>The last place of a letter before the end that is in no brackets; -1 where there is none.</summary>
    public static int LastOutside(string text, char wanted, int end)
    {
        ArgumentNullException.ThrowIfNull(text);
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
