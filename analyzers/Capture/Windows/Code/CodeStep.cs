namespace HangTriage.Capture.Windows.Code;

/// <summary>One decoded instruction, by what matters for finding loops.</summary>
/// <param name="Address">Its first byte.</param>
/// <param name="End">Behind its last byte.</param>
/// <param name="Flow">Where control goes behind it.</param>
/// <param name="Target">Where it jumps to; meaningless without a fixed place.</param>
/// <param name="IsCall">It calls, so a return address can lie behind it.</param>
/// <param name="IsPause">It is <c>pause</c>.</param>
internal readonly record struct CodeStep(ulong Address, ulong End, CodeFlow Flow, ulong Target, bool IsCall, bool IsPause)
{
    public bool LeadsBack => Flow is CodeFlow.Jump or CodeFlow.Branch && Target <= Address;
}
