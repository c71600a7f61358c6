using Spectre.Console;

namespace HangTriage.Cli;

/// <summary>What the streams can show.</summary>
/// <param name="HasColour">Standard output is a terminal that shows colours, and the user has not said no to them (NO_COLOR).</param>
/// <param name="HasProgress">Standard error is a terminal that lines can be redrawn on.</param>
/// <param name="Width">Columns to lay a report out in.</param>
internal sealed record Terminal(bool HasColour, bool HasProgress, int Width)
{
    private const int DefaultWidth = 100;
    private const int Narrowest = 60;
    private const int Widest = 140;

    /// <summary>Files and pipes.</summary>
    public static Terminal None { get; } = new(false, false, DefaultWidth);

    public static Terminal OfProcess()
        => Console.IsOutputRedirected
            ? None with { HasProgress = !Console.IsErrorRedirected }
            : OfConsole(AnsiConsole.Create(new AnsiConsoleSettings())) with { HasProgress = !Console.IsErrorRedirected };

    private static Terminal OfConsole(IAnsiConsole console)
        => new(
            console.Profile.Capabilities is { Ansi: true, ColorSystem: not ColorSystem.NoColors },
            HasProgress: false,
            Math.Clamp(console.Profile.Width, Narrowest, Widest));
}
