namespace HangTriage.Cli;

/// <summary>A file could not be written; the message names it and is one line for the user.</summary>
internal sealed class OutputException(string path, Exception reason)
    : Exception($"{path}: cannot write: {reason.Message.Replace(Environment.NewLine, " ", StringComparison.Ordinal)}", reason);
