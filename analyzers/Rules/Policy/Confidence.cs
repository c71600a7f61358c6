namespace HangTriage.Rules.Policy;

/// <summary>How sure a finding is, the surest first.</summary>
public enum Confidence
{
    /// <summary>Every link was read from the target, and nothing else explains them.</summary>
    Certain,

    /// <summary>The links fit and nothing contradicts them; one of them is concluded.</summary>
    Likely,

    /// <summary>One of several explanations.</summary>
    Possible,
}
