namespace HangTriage.Facts;

/// <summary>An exception of .NET.</summary>
/// <param name="Type">As "System.NullReferenceException".</param>
/// <param name="Frames">From where it was thrown to where it is caught or was last thrown again, innermost first.</param>
public sealed record ThrownException(string Type, IReadOnlyList<FrameFacts> Frames);
