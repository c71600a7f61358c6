namespace HangTriage.Facts.Calls;

/// <summary>Who is at the other end of a call that leaves the process.</summary>
public enum OutsideEnd
{
    /// <summary>A server, or whoever is at the other end of a connection.</summary>
    Server,

    /// <summary>A client that has not connected yet.</summary>
    Client,

    ChildProcess,

    /// <summary>The other end of a pipe: another process, or this one.</summary>
    Pipe,

    /// <summary>A person at the console, or whatever its input is redirected to.</summary>
    Person,

    /// <summary>A file, a device, or another process that has the file.</summary>
    File,
}
