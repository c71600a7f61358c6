using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Threads;

namespace HangTriage.Reports.Json;

/// <summary>Turns facts into parts of the JSON report. What is not known is left out, and its gap is listed.</summary>
internal static class PartsOfTarget
{
    public static TargetPart Of(TargetFacts target) => new()
    {
        Kind = JsonNames.Of(target.Kind),
        Os = target.Os == TargetOs.Unknown ? null : JsonNames.Of(target.Os),
        OsBuild = ValueOf(target.OsBuild),
        Arch = target.Architecture == TargetArchitecture.Unknown ? null : JsonNames.Of(target.Architecture),
        Processors = ValueOf(target.ProcessorCount),
        Pid = ValueOf(target.Pid),
        Process = target.ProcessName.TryGet(out string? name) ? name : null,
        StartedAt = ValueOf(target.StartedAt),
        Crash = target.Crash is { } crash ? Of(crash) : null,
        CapturedAt = ValueOf(target.CapturedAt),
        CapturedAtTrust = TrustOf(target.CapturedAt),
        StoodStill = PauseOf(target),
        Runtimes = target.Runtimes.TryGet(out IReadOnlyList<RuntimeFacts>? runtimes) ? [.. runtimes.Select(Of)] : null,
    };

    private static CrashPart Of(CrashFacts crash) => new(
        $"0x{crash.Code:x}",
        crash.Name.Length > 0 ? crash.Name : null,
        crash.Thread?.ToString(),
        crash.Exception?.Type,
        crash.Origin == CrashOrigin.Unknown ? null : JsonNames.Of(crash.Origin));

    /// <summary>Empty where there is nothing to compare with.</summary>
    public static IReadOnlyList<CapturePart> CapturesOf(Case @case)
    {
        CapturePart[] earlier = [.. @case.Earlier.Select(pair => CaptureOf(pair.Sample, pair.Join))];
        return earlier.Length == 0 ? [] : [.. earlier, CaptureOf(@case.Last, null)];
    }

    private static CapturePart CaptureOf(ProcessSnapshot snapshot, SampleJoin? join)
    {
        TargetFacts target = snapshot.Target;
        IReadOnlyList<ThreadFacts>? threads = snapshot.Threads.TryGet(out IReadOnlyList<ThreadFacts>? list) ? list : null;
        return new CapturePart
        {
            Kind = JsonNames.Of(target.Kind),
            Pid = ValueOf(target.Pid),
            Process = target.ProcessName.TryGet(out string? name) ? name : null,
            StartedAt = ValueOf(target.StartedAt),
            CapturedAt = ValueOf(target.CapturedAt),
            CapturedAtTrust = TrustOf(target.CapturedAt),
            StoodStill = PauseOf(target),
            JoinedBy = join?.By is { } by ? JsonNames.Of(by) : null,
            Before = join is not null && join.Between.TryGet(out TimeSpan before) ? before.TotalMilliseconds : null,
            Threads = threads?.Count,
            Cpu = threads is not null && threads.All(thread => thread.Cpu.HasValue)
                ? new CpuPart(threads.Sum(thread => thread.Cpu.Value.User.TotalMilliseconds), threads.Sum(thread => thread.Cpu.Value.Kernel.TotalMilliseconds))
                : null,
        };
    }

    public static ThreadPart Of(ThreadAssessment assessment)
    {
        ThreadFacts thread = assessment.Thread;
        return new ThreadPart
        {
            OsId = thread.OsId.ToString(),
            Index = thread.Index == ThreadFacts.NoIndex ? null : thread.Index,
            ManagedId = thread.ManagedId,
            Name = thread.Name.TryGet(out string? name) ? name : null,
            Cpu = thread.Cpu.TryGet(out CpuTime? cpu) ? new CpuPart(cpu.User.TotalMilliseconds, cpu.Kernel.TotalMilliseconds) : null,
            StartedAt = ValueOf(thread.StartedAt),
            Kernel = thread.Kernel is { } kernel ? Of(kernel) : null,
            State = JsonNames.Of(assessment.State),
            StateTrust = JsonNames.Of(assessment.Trust),
            WaitsFor = assessment.WaitsFor is { } wait ? Of(wait) : null,
            Loop = thread.Loop is { } loop && loop.TryGet(out LoopFacts? facts)
                ? new LoopPart(facts.Start.ToString(), facts.End.ToString(), facts.InstructionCount, facts.HasPause, facts.FrameIndex, JsonNames.Of(loop.Trust))
                : null,
            Frames = [.. thread.Stack.Frames.Select(Of)],
            Gaps = PartsOfJudgement.Of(Unseen.OfThread(thread)),
        };
    }

    private static WaitPart Of(WaitTarget wait) => new(
        wait.Lock is { } kind ? JsonNames.Of(kind) : JsonNames.Of(wait.Kind),
        wait.Label.Text,
        wait.Address?.ToString(),
        wait.Type,
        wait.Owner?.ToString(),
        wait.Timeout is { } timeout ? timeout == Timeout.InfiniteTimeSpan ? -1 : timeout.TotalMilliseconds : null)
    {
        Since = PartsOfJudgement.Of(wait.Since),
    };

    private static KernelPart Of(KernelThreadFacts kernel) => new(
        JsonNames.Of(kernel.State), ValueOf(kernel.Switches), kernel.WaitChannel.TryGet(out string? channel) && channel.Length > 0 ? channel : null);

    private static double? PauseOf(TargetFacts target) => target.StoodStill is { } known && known.TryGet(out TimeSpan pause) ? pause.TotalMilliseconds : null;

    private static RuntimePart Of(RuntimeFacts runtime)
        => new(runtime.Flavor, runtime.Version.TryGet(out string? version) ? version : null);

    public static TestPart Of(TestFacts test) => new(test.Name, test.Source is { } source ? new SourcePart(source.File, source.Line) : null);

    private static FramePart Of(FrameFacts frame) => new(
        frame.Ip.ToString(),
        frame.Module,
        Hex(frame.ModuleOffset),
        frame.Method,
        Hex(frame.MethodOffset),
        JsonNames.Of(frame.Kind),
        JsonNames.Of(frame.Trust),
        frame.Source is { } source ? new SourcePart(source.File, source.Line) : null);

    private static string? Hex(ulong? offset) => offset is { } value ? new Address(value).ToString() : null;

    private static string? TrustOf<T>(Known<T> fact)
        where T : notnull
        => fact.HasValue ? JsonNames.Of(fact.Trust) : null;

    private static T? ValueOf<T>(Known<T> fact)
        where T : struct
        => fact.TryGet(out T value) ? value : null;
}
