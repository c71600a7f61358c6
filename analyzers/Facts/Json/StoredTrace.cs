namespace HangTriage.Facts;

/// <summary>The trace of a facts file: the judged process's share. What joins it is worked out of the facts again.</summary>
/// <param name="File">The trace's file name.</param>
/// <param name="Facts">What it says of the process; files by their names, without folders.</param>
internal sealed record StoredTrace(string File, TraceFacts Facts)
{
    /// <summary>Null where the case has no trace, or one of another process.</summary>
    public static StoredTrace? Of(Case @case)
        => @case is { Trace: { Join.IsJoined: true } trace } && @case.Last.Target.Pid.TryGet(out uint pid) ? new StoredTrace(trace.File, WithoutFolders(trace.Facts.Of(pid))) : null;

    private static TraceFacts WithoutFolders(TraceFacts facts)
        => facts with { Processes = [.. facts.Processes.Select(process => process with { Files = [.. process.Files.Select(use => use with { Name = use.Name.Select(NameOf) })] })] };

    private static string NameOf(string path) => path[(path.LastIndexOfAny(['\\', '/']) + 1)..];
}
