using HangTriage.Capture.Managed.Tasks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>How many calls are needed before what counts lets its waiters go.</summary>
internal static class SignalCounts
{
    // dotnet/runtime: Barrier.cs. How many have come stands above how many are to come; the highest bit is the phase's.
    private const int Come = 0x7FFF;
    private const int Total = 0x7FFF;
    private const int ComeAt = 16;

    /// <summary>Null for what does not count; more than there can be where its count cannot be read.</summary>
    public static int? Left(ClrObject found) => found.Type?.Name switch
    {
        "System.Threading.CountdownEvent" => found.Number("_currentCount") ?? found.Number("m_currentCount") ?? int.MaxValue,
        "System.Threading.Barrier" => (found.Number("_currentTotalCount") ?? found.Number("m_currentTotalCount")) is { } count
            ? (count & Total) - ((count >> ComeAt) & Come)
            : int.MaxValue,
        _ => null,
    };
}
