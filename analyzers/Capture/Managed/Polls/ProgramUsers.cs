namespace HangTriage.Capture.Managed.Polls;

/// <summary>Who can still come to which instructions of the program.</summary>
/// <param name="Statics">To those that use a static field.</param>
/// <param name="Givers">To those that end waits.</param>
internal sealed record ProgramUsers(StaticUsers Statics, SignalGivers Givers);
