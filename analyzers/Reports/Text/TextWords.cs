using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Text;

/// <summary>Cuts a claim into words, which can be put into lines, and keeps what each names.</summary>
internal static class TextWords
{
    /// <summary>The words, each as the pieces that stand together in it.</summary>
    public static IReadOnlyList<IReadOnlyList<TextPiece>> Of(Claim claim)
    {
        List<List<TextPiece>> words = [[]];
        foreach (ClaimPart part in claim.Parts)
        {
            string[] cut = Printable.Ascii(part.Text).Split(' ');
            for (int i = 0; i < cut.Length; i++)
            {
                if (i > 0)
                {
                    words.Add([]);
                }

                if (cut[i].Length > 0)
                {
                    words[^1].Add(new TextPiece(cut[i], part.NamesSomething ? part : null));
                }
            }
        }

        return WithOptions([.. words.Where(word => word.Count > 0)]);
    }

    /// <summary>An option stays on one line with its value: people copy the two together.</summary>
    private static List<List<TextPiece>> WithOptions(List<List<TextPiece>> words)
    {
        List<List<TextPiece>> joined = [];
        foreach (List<TextPiece> word in words)
        {
            if (joined.Count > 0 && joined[^1][^1].Text.StartsWith("--", StringComparison.Ordinal))
            {
                joined[^1].Add(new TextPiece(" ", null));
                joined[^1].AddRange(word);
            }
            else
            {
                joined.Add(word);
            }
        }

        return joined;
    }
}
