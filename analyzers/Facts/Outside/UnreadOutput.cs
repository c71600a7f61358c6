namespace HangTriage.Facts;

/// <summary>Which redirected streams of a child nobody reads.</summary>
[Flags]
public enum UnreadOutput
{
    None = 0,
    Output = 1,
    Errors = 2,
}
