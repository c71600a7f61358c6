namespace HangTriage.Rules.Stalls;

/// <summary>What a host is in the middle of.</summary>
internal enum HostPhase
{
    Start,

    Stop,

    /// <summary>Its web server has been told to stop, and waits for the requests that it has begun.</summary>
    Drain,
}
