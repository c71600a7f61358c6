namespace HangTriage.Facts;

/// <summary>What samples of a thread stand for.</summary>
/// <param name="Name">"waiting for SQL", "GC".</param>
/// <param name="Samples">How many.</param>
public sealed record TraceTag(string Name, long Samples);
