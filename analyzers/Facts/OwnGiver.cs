namespace HangTriage.Facts;

/// <summary>
/// Of the program's methods only some end the wait, and who waits is in them, or in those that alone call them, on its own stack or on
/// behalf of them. Code that goes round a loop has called the outermost: it calls it again when this call is over.
/// </summary>
/// <param name="Method">The outermost of those methods, as "App.Link.OnMessage".</param>
/// <param name="Loop">The method that goes round, as "Feeds.Client.ReceiveLoop".</param>
public sealed record OwnGiver(string Method, string Loop);
