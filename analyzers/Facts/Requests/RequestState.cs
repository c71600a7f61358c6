namespace HangTriage.Facts;

/// <summary>How far a request has come. One that has been answered in part may be a stream that is meant to last.</summary>
public enum RequestState
{
    /// <summary>Nothing has been answered.</summary>
    Unanswered,

    /// <summary>The answer has begun: a download, or events that a server sends as they come.</summary>
    Answering,

    /// <summary>The connection speaks another protocol now, as that of web sockets.</summary>
    Upgraded,
}
