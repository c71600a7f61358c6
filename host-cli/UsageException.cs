namespace HangTriage.Cli;

/// <summary>The command line cannot be carried out as it was given; the message is one line for the user.</summary>
internal sealed class UsageException(string message) : Exception(message);
