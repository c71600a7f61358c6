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

    private const string Barrier = "System.Threading.Barrier";

    /// <summary>Null for what does not count; more than there can be where its count cannot be read.</summary>
    public static int? Left(ClrObject found) => found.Type?.Name switch
    {
        "System.Threading.CountdownEvent" => found.Number("_currentCount") ?? found.Number("m_currentCount") ?? int.MaxValue,
        Barrier => CountsOf(found) is { } counts ? counts.Total - counts.Come : int.MaxValue,
        _ => null,
    };

    /// <summary>How many are still to come to a barrier, each of whom comes once; null for anything else.</summary>
    public static int? Missing(ClrObject found) => found.Type?.Name == Barrier ? Left(found) : null;

    /// <summary>
    /// The signal has been given, and who waits is on his way: the event is set, the count has come to its end, there are entries for all;
    /// or more threads wait at a barrier than have come in its phase, so that the end of the last has let one of them go.
    /// </summary>
    /// <param name="found">What they wait for.</param>
    /// <param name="waiting">How many threads wait for it.</param>
    public static bool LetsGo(ClrObject found, int waiting) => found.Type?.Name switch
    {
        Barrier => waiting > CountsOf(found)?.Come,
        "System.Threading.CountdownEvent" => Left(found) == 0,
        "System.Threading.ManualResetEventSlim" => found.Number("m_combinedState") is < 0,
        "System.Threading.SemaphoreSlim" => found.Number("m_currentCount") is { } left && left >= waiting,
        _ => false,
    };

    private static (int Come, int Total)? CountsOf(ClrObject barrier)
        => (barrier.Number("_currentTotalCount") ?? barrier.Number("m_currentTotalCount")) is { } count
            ? ((count >> ComeAt) & Come, count & Total)
            : null;
}
