using HangTriage.Facts;
using HangTriage.Rules.Threads;

namespace HangTriage.Reports;

internal static class ThreadOrder
{
    /// <summary>Who used most processor time first, those of unknown time last, and by number among equals.</summary>
    public static IEnumerable<ThreadAssessment> ByCpu(IEnumerable<ThreadAssessment> threads)
        => threads
            .OrderByDescending(assessment => assessment.Thread.Cpu.TryGet(out CpuTime? time) ? time.Total() : TimeSpan.MinValue)
            .ThenBy(assessment => assessment.Thread.Index);
}
