using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Text;

/// <summary>Cuts a claim so that it fits into one line; the JSON report has it whole.</summary>
internal static class TextCut
{
    private const string Mark = "...";

    public static Claim To(int width, Claim row)
    {
        List<Claim> parts = [];
        int left = row.Parts.Sum(part => Printable.Ascii(part.Text).Length) <= width ? width : width - Mark.Length;
        foreach (ClaimPart part in row.Parts)
        {
            string text = Printable.Ascii(part.Text);
            if (text.Length > left)
            {
                return Claim.Join(string.Empty, [.. parts, Claim.Of(part with { Text = text[..left] }), Claim.Of(Mark)]);
            }

            parts.Add(Claim.Of(part with { Text = text }));
            left -= text.Length;
        }

        return Claim.Join(string.Empty, parts);
    }
}
