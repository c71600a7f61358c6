namespace HangTriage.Capture.Managed.Code;

/// <summary>Pulses of monitors. Who is woken looks again at what he waits for: a pulse alone ends no wait.</summary>
internal static class PulseCalls
{
    private const string Monitor = "System.Threading.Monitor";
    private const string Collections = "System.Collections.";

    /// <summary>
    /// The method pulses, and changes nothing that anybody could wait for: some do so each second, lest one is forgotten.
    /// </summary>
    /// <param name="module">The module.</param>
    /// <param name="method">Its method.</param>
    /// <param name="call">The call in it.</param>
    public static bool IsBare(IlModule module, int method, IlInstruction call)
        => call.IsCall && module.Names.Member(call.Operand)?.Type == Monitor && !module.Body(method).Any(other => Changes(module, other));

    private static bool Changes(IlModule module, IlInstruction instruction)
        => instruction.Stores
            || (instruction.IsCall && module.Names.Member(instruction.Operand) is { } called
                && (called.IsOwn || called.Type.StartsWith(Collections, StringComparison.Ordinal)));
}
