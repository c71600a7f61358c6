using HangTriage.Tests.Support;

namespace HangTriage.Benchmarks;

/// <summary>The Windows lab (tests/Lab).</summary>
internal static class Lab
{
    // What the lab would start, instead of starting it: its scripts are not what is measured.
    private const string ShowCommand = """env() { printf '%s\0' /usr/bin/env "$@"; }; export -f env; exec bash "$0" "$@" """;

    private static string Script => Path.Combine(Repository.Root, "tests", "Lab", "lab.sh");

    public static string Output(IReadOnlyList<string> arguments) => ShortCommand.Output("bash", [Script, .. arguments]);

    /// <summary>The program and the arguments that a command of the lab comes down to.</summary>
    public static IReadOnlyList<string> CommandOf(IReadOnlyList<string> arguments)
        => ShortCommand.Output("bash", ["-c", ShowCommand, Script, .. arguments]).Split('\0', StringSplitOptions.RemoveEmptyEntries);
}
