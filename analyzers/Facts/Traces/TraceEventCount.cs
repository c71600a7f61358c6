namespace HangTriage.Facts;

/// <summary>How often an event is in a trace.</summary>
/// <param name="Name">Task and opcode, as trace tools name it ("Thread/CSwitch"); of an unknown event its numbers.</param>
/// <param name="Count">How often.</param>
/// <param name="IsDecoded">Its payload is read; false where it is counted only.</param>
public sealed record TraceEventCount(string Name, long Count, bool IsDecoded);
