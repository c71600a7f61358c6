using System.Text;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports;

/// <summary>A claim without the addresses in it, by which things of one kind are one group.</summary>
internal static class PlainLabel
{
    /// <summary>"monitor of App.Account" of "monitor of App.Account (0x7f...)".</summary>
    public static string Of(Claim claim)
    {
        StringBuilder text = new();
        foreach (ClaimPart part in claim.Parts)
        {
            bool isAddress = part is { Lock: not null } or { Task: not null };
            if (!isAddress)
            {
                bool closes = part.Text.StartsWith(')') && text.Length > 1 && text[^1] == '(';
                text.Length -= closes ? text.Length > 1 && text[^2] == ' ' ? 2 : 1 : 0;
                text.Append(closes ? part.Text[1..] : part.Text);
            }
        }

        return text.ToString();
    }
}
