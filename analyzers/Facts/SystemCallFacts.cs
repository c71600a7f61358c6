namespace HangTriage.Facts;

/// <summary>The system call that a thread is in.</summary>
/// <param name="Number">Its number, by the code of its stub; numbers change from one build of Windows to the next.</param>
/// <param name="Name">Its name: read from ntdll's exports, or assumed from the number.</param>
public sealed record SystemCallFacts(Known<uint> Number, Known<string> Name);
