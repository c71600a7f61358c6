namespace HangTriage.Rules.Policy;

/// <summary>How the weakest link of a chain is known, the strongest first.</summary>
public enum LinkTrust
{
    /// <summary>Recorded in the target.</summary>
    Read,

    /// <summary>Concluded from stacks and objects.</summary>
    Concluded,

    /// <summary>Guessed from stack words, or read through a layout that is not verified.</summary>
    Guessed,
}
