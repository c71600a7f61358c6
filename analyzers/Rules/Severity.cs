namespace HangTriage.Rules;

/// <summary>How much a finding matters, the worst first.</summary>
public enum Severity
{
    /// <summary>Explains a hang.</summary>
    Hang,

    /// <summary>No hang by itself; worth a look.</summary>
    Warning,

    /// <summary>Worth knowing.</summary>
    Info,
}
