using System.Globalization;

namespace HangTriage.Tests.Support.Lab;

/// <summary>A frame as the debugger engine walks it.</summary>
/// <param name="Ip">The instruction pointer.</param>
/// <param name="Sp">The engine's Child-SP: the stack pointer in this frame.</param>
/// <param name="Name">The engine's name for it, from exports.</param>
public sealed record EngineFrame(ulong Ip, ulong Sp, string Name)
{
    /// <summary>Every thread's stack in the engine, by thread id.</summary>
    public static IReadOnlyDictionary<uint, IReadOnlyList<EngineFrame>> StacksOf(string dump) => Parse(WindowsLab.Output("engine", dump, "stacks:"));

    /// <summary>The same of a live program, to which the engine attaches as a debugger's -pv does.</summary>
    public static IReadOnlyDictionary<uint, IReadOnlyList<EngineFrame>> StacksOf(LiveWindowsProgram program)
        => Parse(WindowsLab.Output("engine", "--attach", program.IdText, "stacks:"));

    private static Dictionary<uint, IReadOnlyList<EngineFrame>> Parse(string output)
        => output
            .Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => line.TrimEnd('\r').Split('\t'))
            .Where(fields => fields.Length >= 6)
            .GroupBy(fields => uint.Parse(fields[0], NumberStyles.HexNumber, CultureInfo.InvariantCulture))
            .ToDictionary(
                group => group.Key,
                group => (IReadOnlyList<EngineFrame>)[.. group.Select(fields => new EngineFrame(Hex(fields[2]), Hex(fields[3]), fields[5]))]);

    private static ulong Hex(string text) => ulong.Parse(text, NumberStyles.HexNumber, CultureInfo.InvariantCulture);
}
