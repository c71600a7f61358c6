using System.Text;

namespace HangTriage.Capture.Libraries;

/// <summary>Writes text so that a shell reads it back as one word, in visible ASCII without spaces: no report changes or breaks it.</summary>
internal static class ShellWord
{
    private const string Plain = "/._-+@%:,=";

    public static string Of(string text)
        => text.Length > 0 && text.All(character => char.IsAsciiLetterOrDigit(character) || Plain.Contains(character)) ? text : Quoted(text);

    // $'...' is in POSIX since 2024, and was in bash, zsh and ksh long before.
    private static string Quoted(string text)
    {
        StringBuilder word = new("$'");
        foreach (byte unit in Encoding.UTF8.GetBytes(text))
        {
            word = unit is (byte)'\'' or (byte)'\\' or <= (byte)' ' or >= 0x7F
                ? word.Append('\\').Append(Convert.ToString(unit, 8).PadLeft(3, '0'))
                : word.Append((char)unit);
        }

        return word.Append('\'').ToString();
    }
}
