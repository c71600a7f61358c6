namespace HangTriage.Facts;

/// <summary>How long the threads of one process waited until a thread of another ended the wait.</summary>
/// <param name="Pid">Whose threads waited.</param>
/// <param name="ByPid">Whose thread readied them.</param>
/// <param name="ByName">The image name of that process.</param>
/// <param name="Waits">How many waits.</param>
/// <param name="Time">Their time; what several threads waited at once counts once.</param>
/// <param name="Longest">The longest of them.</param>
public sealed record TraceReadier(uint Pid, uint ByPid, Known<string> ByName, long Waits, TimeSpan Time, TimeSpan Longest);
