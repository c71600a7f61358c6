namespace HangTriage.Capture.Windows.Live;

/// <summary>An image that a process has mapped.</summary>
/// <param name="Start">Its first byte.</param>
/// <param name="Path">Its file; empty where the system does not say.</param>
internal sealed record LiveImage(ulong Start, string Path);
