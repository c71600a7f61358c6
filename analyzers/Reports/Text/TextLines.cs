namespace HangTriage.Reports.Text;

/// <summary>Writes wrapped lines of printable ASCII; the only way to the output, so that nothing gets past the cleaning.</summary>
internal sealed class TextLines(TextWriter output, int width, Func<string, string>? markup = null)
{
    private const int Narrowest = 40;

    public int Width { get; } = Math.Max(width, Narrowest);

    public void Blank() => output.Write('\n');

    /// <summary>One line, not wrapped.</summary>
    public void Line(string text, Func<string, string>? emphasize = null)
    {
        string line = Marked(Printable.Ascii(text));
        output.Write(emphasize is null ? line : emphasize(line));
        output.Write('\n');
    }

    /// <summary>A sentence behind a prefix; further lines are indented by the prefix's length and a little more where that is asked for.</summary>
    public void Wrapped(string prefix, string text, int hanging = 0)
    {
        string line = Printable.Ascii(prefix);
        string indent = new(' ', line.Length + hanging);
        bool isEmpty = true;
        foreach (string word in Printable.Ascii(text).Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            if (!isEmpty && line.Length + 1 + word.Length > Width)
            {
                End(line);
                (line, isEmpty) = (indent, true);
            }

            line += isEmpty ? word : ' ' + word;
            isEmpty = false;
        }

        End(line);
    }

    private void End(string line)
    {
        output.Write(Marked(line.TrimEnd(' ')));
        output.Write('\n');
    }

    private string Marked(string line) => markup is null ? line : markup(line);
}
