namespace HangTriage.Facts;

/// <summary>How an async method leaves the loop that it goes round, by its instructions.</summary>
public enum FlowLoopEnd
{
    /// <summary>No branch leads out of it, nothing is thrown in it, and it uses no cancellation token.</summary>
    None,

    /// <summary>It has a way out, and uses no cancellation token.</summary>
    WithoutToken,

    /// <summary>It uses a cancellation token.</summary>
    Token,
}
