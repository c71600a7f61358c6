using System.Text;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Text;

/// <summary>Writes wrapped lines of printable ASCII; the only way to the output, so that nothing gets past the cleaning.</summary>
internal sealed class TextLines(TextWriter output, int width, ITextMarkup? markup = null)
{
    private const int Narrowest = 40;

    public int Width { get; } = Math.Max(width, Narrowest);

    public void Blank() => output.Write('\n');

    /// <summary>One line, not wrapped.</summary>
    public void Line(Claim text, Func<string, string>? emphasize = null)
    {
        string line = Rendered(text.Parts.Select(part => new TextPiece(Printable.Ascii(part.Text), part.NamesSomething ? part : null)));
        output.Write(emphasize is null ? line : emphasize(line));
        output.Write('\n');
    }

    /// <summary>A sentence behind a prefix; further lines are indented by the prefix's length and a little more where that is asked for.</summary>
    public void Wrapped(string prefix, Claim text, int hanging = 0)
    {
        string start = Printable.Ascii(prefix);
        List<TextPiece> line = [new(start, null)];
        int length = start.Length;
        bool isEmpty = true;
        foreach (IReadOnlyList<TextPiece> word in TextWords.Of(text))
        {
            int letters = word.Sum(piece => piece.Text.Length);
            if (!isEmpty && length + 1 + letters > Width)
            {
                End(line);
                line = [new(new string(' ', start.Length + hanging), null)];
                (length, isEmpty) = (start.Length + hanging, true);
            }

            if (!isEmpty)
            {
                // A name of several words is one link.
                line.Add(new TextPiece(" ", line[^1].Named is { } named && ReferenceEquals(named, word[0].Named) ? named : null));
                length++;
            }

            line.AddRange(word);
            length += letters;
            isEmpty = false;
        }

        End(line);
    }

    private void End(IEnumerable<TextPiece> line)
    {
        output.Write(Rendered(line).TrimEnd(' '));
        output.Write('\n');
    }

    private string Rendered(IEnumerable<TextPiece> pieces)
    {
        StringBuilder line = new();
        StringBuilder run = new();
        ClaimPart? named = null;
        foreach (TextPiece piece in pieces)
        {
            if (!ReferenceEquals(piece.Named, named))
            {
                Flush();
                named = piece.Named;
            }

            run.Append(piece.Text);
        }

        Flush();
        return line.ToString();

        void Flush()
        {
            string text = run.ToString();
            run.Clear();
            line.Append(markup is null || text.Length == 0 ? text : named is null ? markup.Escape(text) : markup.Link(text, named));
        }
    }
}
