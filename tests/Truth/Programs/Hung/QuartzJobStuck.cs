using Quartz;

namespace Truth.Hung;

/// <summary>A Quartz scheduler shuts down and waits for its jobs; one awaits an export that nobody reports as done.</summary>
internal static class QuartzJobStuck
{
    private static volatile bool s_hasStarted;
    private static volatile bool s_isStopping;

    public static async Task RunAsync()
    {
        IScheduler scheduler = await QuartzSchedulerBuilder.Create().BuildScheduler();
        await scheduler.Start();
        await scheduler.ScheduleJob(JobBuilder.Create<NightlyExportJob>().Build(), TriggerBuilder.Create().StartNow().Build());
        while (!s_hasStarted)
        {
            await Task.Delay(1);
        }

        Ready.When(() => s_isStopping);
        Task stop = StopAsync(scheduler);
        await stop;
    }

    private static async Task StopAsync(IScheduler scheduler)
    {
        s_isStopping = true;
        await scheduler.Shutdown(waitForJobsToComplete: true);
    }

    internal sealed class Exporter
    {
        public event Action? Exported;

        public Task ExportAsync()
        {
            TaskCompletionSource done = new();
            Exported += done.SetResult;
            return done.Task;
        }

        public void Finish() => Exported?.Invoke();

        public void Forget() => Exported = null;
    }

    [DisallowConcurrentExecution]
    internal sealed class NightlyExportJob : IJob
    {
        private readonly Exporter _exporter = new();

        public async ValueTask Execute(IJobExecutionContext context, CancellationToken cancellationToken)
        {
            Task export = _exporter.ExportAsync();
            _exporter.Forget();
            s_hasStarted = true;
            await export;
        }
    }
}
