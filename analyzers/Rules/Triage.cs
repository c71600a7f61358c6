using HangTriage.Facts;

namespace HangTriage.Rules;

/// <summary>Judges the facts of a process.</summary>
public static class Triage
{
    public static TriageResult Judge(ProcessSnapshot snapshot) => throw new NotSupportedException();
}
