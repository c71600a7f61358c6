namespace HangTriage.Cli;

/// <summary>The input cannot be read; the message names it and is one line for the user.</summary>
internal sealed class InputException(string path, Exception reason)
    : Exception($"{path}: {reason.Message}", reason);
