using System.Text;
using System.Text.RegularExpressions;

namespace Loops;

/// <summary>Loops over texts.</summary>
internal static class Texts
{
    private const int Passes = 2_000_000_000;

    public static void Parse(bool isEndless)
    {
        string line = string.Join(';', Enumerable.Range(0, 5_000)) + (isEndless ? "#" : string.Empty);
        for (int pass = 0; pass < Passes; pass++)
        {
            _ = Fields(line);
        }
    }

    // A character of no known kind is neither read nor left out.
    private static int Fields(string line)
    {
        int fields = 1;
        for (int place = 0; place < line.Length;)
        {
            switch (line[place])
            {
                case >= '0' and <= '9':
                    place++;
                    break;
                case ';':
                    fields++;
                    place++;
                    break;
            }
        }

        return fields;
    }

    public static void Shorten(bool isEndless)
    {
        for (int pass = 0; pass < Passes; pass++)
        {
            _ = Single(new StringBuilder("a    b      c").ToString(), isEndless ? "  " : " ");
        }
    }

    private static string Single(string text, string by)
    {
        while (text.Contains("  ", StringComparison.Ordinal))
        {
            text = text.Replace("  ", by, StringComparison.Ordinal);
        }

        return text;
    }

    public static void Match(bool isEndless)
    {
        string code = new string('a', isEndless ? 48 : 12) + "!";
        for (int pass = 0; pass < Passes; pass++)
        {
            _ = IsCode(code);
        }
    }

    private static bool IsCode(string text) => Regex.IsMatch(text, "^(a+)+$");
}
