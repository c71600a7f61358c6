namespace Truth;

/// <summary>The programs by name: those that hang, then those that do not.</summary>
internal static class Catalog
{
    public static IReadOnlyDictionary<string, Func<Task>> Programs { get; } = new Dictionary<string, Func<Task>>
    {
        ["actors-ask-each-other"] = Hung.ActorsAskEachOther.RunAsync,
        ["async-locks-crosswise"] = Hung.AsyncLocksCrosswise.RunAsync,
        ["autofac-singleton-crossed"] = Blocking(Hung.AutofacSingletonCrossed.Run),
        ["blocking-cell-lost-pulse"] = Blocking(Hung.BlockingCellLostPulse.Run),
        ["calls-own-port"] = Hung.CallsOwnPort.RunAsync,
        ["channel-dead-consumer"] = Hung.ChannelDeadConsumer.RunAsync,
        ["channel-writer-gone"] = Hung.ChannelWriterGone.RunAsync,
        ["child-full-pipe"] = Blocking(Hung.ChildFullPipe.Run),
        ["countdown-never-signalled"] = Blocking(Hung.CountdownNeverSignalled.Run),
        ["dataflow-full"] = Hung.DataflowFull.RunAsync,
        ["events-crosswise"] = Blocking(Hung.EventsCrosswise.Run),
        ["finalizer-blocked"] = Blocking(Hung.FinalizerBlocked.Run),
        ["home-made-lock-lost"] = Blocking(Hung.HomeMadeLockLost.Run),
        ["host-never-stops"] = Hung.HostNeverStops.RunAsync,
        ["http-silent-server"] = Hung.HttpSilentServer.RunAsync,
        ["nlog-target-crosswise"] = Blocking(Hung.NLogTargetCrosswise.Run),
        ["named-pipe-silent"] = Blocking(Hung.NamedPipeSilent.Run),
        ["npgsql-pool-leak"] = Hung.NpgsqlPoolLeak.RunAsync,
        ["npgsql-silent-server"] = Blocking(Hung.NpgsqlSilentServer.Run),
        ["one-answer-awaited"] = Hung.OneAnswerAwaited.RunAsync,
        ["own-context-blocked"] = Blocking(Hung.OwnContextBlocked.Run),
        ["own-scheduler-blocked"] = Blocking(Hung.OwnSchedulerBlocked.Run),
        ["polly-bulkhead-exhausted"] = Hung.PollyBulkheadExhausted.RunAsync,
        ["quartz-job-stuck"] = Hung.QuartzJobStuck.RunAsync,
        ["reply-lost"] = Hung.ReplyLost.RunAsync,
        ["rx-wait"] = Blocking(Hung.RxWait.Run),
        ["semaphore-lost-release"] = Blocking(Hung.SemaphoreLostRelease.Run),
        ["serilog-async-blocked"] = Blocking(Hung.SerilogAsyncBlocked.Run),
        ["spin-lock-owner-ended"] = Blocking(Hung.SpinLockOwnerEnded.Run),
        ["sqlite-locked-elsewhere"] = Blocking(Hung.SqliteLockedElsewhere.Run),
        ["static-constructor-task"] = Blocking(Hung.StaticConstructorTask.Run),
        ["sync-over-async-starvation"] = Blocking(Hung.SyncOverAsyncStarvation.Run),
        ["tryenter-livelock"] = Blocking(Hung.TryEnterLivelock.Run),

        ["accept-loop"] = Blocking(Healthy.AcceptLoop.Run),
        ["broker-consumer-idle"] = Blocking(Healthy.BrokerConsumerIdle.Run),
        ["channel-idle"] = Healthy.ChannelIdle.RunAsync,
        ["channel-in-flow"] = Healthy.ChannelInFlow.RunAsync,
        ["child-output-awaited"] = Healthy.ChildOutputAwaited.RunAsync,
        ["console-input"] = Blocking(Healthy.ConsoleInput.Run),
        ["dataflow-idle"] = Healthy.DataflowIdle.RunAsync,
        ["feed-reader"] = Healthy.FeedReader.RunAsync,
        ["file-watcher"] = Blocking(Healthy.FileWatcher.Run),
        ["finalizer-slow"] = Blocking(Healthy.FinalizerSlow.Run),
        ["garbage-heavy"] = Blocking(Healthy.GarbageHeavy.Run),
        ["host-worker"] = Healthy.HostWorker.RunAsync,
        ["http-listener-idle"] = Blocking(Healthy.HttpListenerIdle.Run),
        ["http-pool-in-turn"] = Healthy.HttpPoolInTurn.RunAsync,
        ["keep-alive-delay"] = Healthy.KeepAliveDelay.RunAsync,
        ["keep-alive-tcs"] = Healthy.KeepAliveTcs.RunAsync,
        ["lazy-in-turns"] = Blocking(Healthy.LazyInTurns.Run),
        ["lock-in-turns"] = Blocking(Healthy.LockInTurns.Run),
        ["long-request"] = Healthy.LongRequest.RunAsync,
        ["main-joins-loop"] = Blocking(Healthy.MainJoinsLoop.Run),
        ["parallel-compute"] = Blocking(Healthy.ParallelCompute.Run),
        ["polly-bulkhead-in-turn"] = Healthy.PollyBulkheadInTurn.RunAsync,
        ["pump-idle"] = Blocking(Healthy.PumpIdle.Run),
        ["quartz-idle"] = Healthy.QuartzIdle.RunAsync,
        ["rate-limiter"] = Healthy.RateLimiter.RunAsync,
        ["rx-interval"] = Blocking(Healthy.RxInterval.Run),
        ["serilog-async-idle"] = Healthy.SerilogAsyncIdle.RunAsync,
        ["shared-load"] = Healthy.SharedLoad.RunAsync,
        ["signal-semaphore"] = Blocking(Healthy.SignalSemaphore.Run),
        ["signal-wait"] = Blocking(Healthy.SignalWait.Run),
        ["sqlite-in-turns"] = Blocking(Healthy.SqliteInTurns.Run),
        ["supervisor-of-child"] = Blocking(Healthy.SupervisorOfChild.Run),
        ["web-idle"] = Blocking(Healthy.WebIdle.Run),
    };

    private static Func<Task> Blocking(Action run) => () =>
    {
        run();
        return Task.CompletedTask;
    };
}
