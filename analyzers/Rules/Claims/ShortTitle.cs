using HangTriage.Facts;

namespace HangTriage.Rules.Claims;

/// <summary>
/// A title by names alone: without the number that a thread with a name has besides, and without the address of the one
/// lock or task that it speaks of. The culprit, the chain and the evidence have both.
/// </summary>
internal static class ShortTitle
{
    public static Claim Of(Claim title)
    {
        IReadOnlyList<ClaimPart> parts = title.Parts;
        bool speaksOfOne = parts.Where(IsAddress).Select(part => part.Text).Distinct().Count() == 1;
        return Claim.Join(string.Empty, parts.Select((part, index) => Claim.Of(part with { Text = TextOf(parts, index, speaksOfOne) })));
    }

    private static string TextOf(IReadOnlyList<ClaimPart> parts, int index, bool speaksOfOne)
    {
        ClaimPart part = parts[index];
        string? after = index + 1 < parts.Count ? parts[index + 1].Text : null;
        string? before = index > 0 ? parts[index - 1].Text : null;
        if (part.Thread is { } thread && after?.StartsWith(" \"", StringComparison.Ordinal) == true)
        {
            return part.Text.Replace($" ({thread})", string.Empty, StringComparison.Ordinal);
        }

        if (!speaksOfOne)
        {
            return part.Text;
        }

        return IsAddress(part) && IsInBrackets(before, after) ? string.Empty
            : index > 0 && IsAddress(parts[index - 1]) && IsInBrackets(index > 1 ? parts[index - 2].Text : null, part.Text) ? WithoutOpening(parts, index, part.Text[1..])
            : WithoutOpening(parts, index, part.Text);
    }

    // Of the words in front of "(0x...)".
    private static string WithoutOpening(IReadOnlyList<ClaimPart> parts, int index, string text)
        => index + 2 < parts.Count && IsAddress(parts[index + 1]) && IsInBrackets(parts[index].Text, parts[index + 2].Text) ? text[..^2] : text;

    private static bool IsInBrackets(string? before, string? after)
        => before?.EndsWith(" (", StringComparison.Ordinal) == true && after?.StartsWith(')') == true;

    private static bool IsAddress(ClaimPart part)
        => (part.Lock is { } @lock && part.Text == @lock.Address.ToString()) || (part.Task is { } task && part.Text == task.ToString());
}
