namespace HangTriage.Facts;

/// <summary>On which side of a request the process is.</summary>
public enum RequestKind
{
    /// <summary>A client outside asked the process's web server.</summary>
    Served,

    /// <summary>The process asked another server by HttpClient.</summary>
    Sent,
}
