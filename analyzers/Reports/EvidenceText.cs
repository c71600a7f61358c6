using HangTriage.Rules.Claims;

namespace HangTriage.Reports;

/// <summary>How a piece of evidence is known.</summary>
internal static class EvidenceText
{
    /// <summary>"read: loader lock, at 0x7ff0": the frame and the address only where the claim itself does not name them.</summary>
    public static Claim Basis(Evidence item)
    {
        string said = item.Claim.Text;
        Claim frame = item.Frame is { } shown && !said.Contains(shown.Text, StringComparison.Ordinal) ? $", {shown}" : Claim.Empty;
        Claim address = item.Address is { } at && !said.Contains(at.ToString(), StringComparison.Ordinal) ? $", at {at}" : Claim.Empty;
        return $"{Words.Of(item.Trust)}: {item.Source}{frame}{address}";
    }
}
