namespace HangTriage.Rules.Policy;

/// <summary>How much a finding matters in lists, the worst first; it follows from the kind.</summary>
public enum Severity
{
    /// <summary>Explains a hang.</summary>
    Hang,

    /// <summary>No hang by itself; worth a look.</summary>
    Warning,
}
