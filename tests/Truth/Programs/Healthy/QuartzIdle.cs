using Quartz;

namespace Truth.Healthy;

/// <summary>A Quartz scheduler between two runs of a job.</summary>
internal static class QuartzIdle
{
    private static int s_runs;

    public static async Task RunAsync()
    {
        IScheduler scheduler = await QuartzSchedulerBuilder.Create().BuildScheduler();
        await scheduler.Start();
        await scheduler.ScheduleJob(
            JobBuilder.Create<CleanupJob>().Build(),
            TriggerBuilder.Create().StartNow().WithSimpleSchedule(schedule => schedule.WithInterval(TimeSpan.FromSeconds(1)).RepeatForever()).Build());
        Ready.When(() => Volatile.Read(ref s_runs) > 1);
        await Task.Delay(Timeout.Infinite);
    }

    internal sealed class CleanupJob : IJob
    {
        public async ValueTask Execute(IJobExecutionContext context, CancellationToken cancellationToken)
        {
            await Task.Delay(5, CancellationToken.None);
            Interlocked.Increment(ref s_runs);
        }
    }
}
