using System.Globalization;

namespace HangTriage.Traces.Perf;

/// <summary>Reads "name=value" fields. A comm may hold spaces and signs of equality, so numbers are looked for from behind.</summary>
internal static class PerfFields
{
    /// <summary>The number behind the last place of a name that starts with a space.</summary>
    public static bool TryNumber(ReadOnlySpan<char> fields, ReadOnlySpan<char> name, out uint value)
    {
        value = 0;
        int at = fields.LastIndexOf(name);
        return at >= 0 && uint.TryParse(Word(fields[(at + name.Length)..]), NumberStyles.None, CultureInfo.InvariantCulture, out value);
    }

    public static ReadOnlySpan<char> Text(ReadOnlySpan<char> fields, ReadOnlySpan<char> name)
    {
        int at = fields.LastIndexOf(name);
        return at < 0 ? default : Word(fields[(at + name.Length)..]);
    }

    private static ReadOnlySpan<char> Word(ReadOnlySpan<char> text)
    {
        int space = text.IndexOf(' ');
        return space < 0 ? text : text[..space];
    }
}
