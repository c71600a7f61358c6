namespace HangTriage.Facts;

/// <summary>What has been written and not sent: it is in the buffer of a writer over a socket until that is flushed. Never what it is.</summary>
/// <param name="Socket">The object of the socket.</param>
/// <param name="Writer">The type that has it: "System.IO.StreamWriter", "System.IO.BufferedStream".</param>
/// <param name="Count">How many characters or bytes.</param>
public sealed record UnsentFacts(Address Socket, string Writer, int Count);
