namespace HangTriage.Rules.Policy;

public static class VerdictKinds
{
    /// <summary>True for the kinds that say that the process hangs.</summary>
    public static bool IsHang(this VerdictKind kind)
        => kind is not (VerdictKind.NotHung or VerdictKind.BusyNotHung or VerdictKind.Inconclusive);
}
