using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Snapshots;

/// <summary>What a process's .NET runtime says of it, or why that is not known.</summary>
/// <param name="Facts">Null where the process is known to run no .NET.</param>
/// <param name="Reading">All that the runtime told; null where it was not read.</param>
/// <param name="Gaps">What else could not be read.</param>
internal sealed record ManagedHalf(Known<ManagedFacts>? Facts, ManagedReading? Reading, IReadOnlyList<Gap> Gaps)
{
    private const string What = "managed threads and locks";

    /// <summary>Opens the runtime and reads it. What cannot be read becomes a gap.</summary>
    /// <param name="runtimes">The runtimes of the process, as its modules tell.</param>
    /// <param name="source">Leads to the runtime.</param>
    /// <param name="hasTimeout">Whether the system call that a thread is in was given a timeout; null where that is not known.</param>
    /// <param name="context">Limits, progress, cancellation, and whether the runtime may be read at all.</param>
    /// <exception cref="OperationCanceledException">The context was cancelled.</exception>
    public static ManagedHalf Read(Known<IReadOnlyList<RuntimeFacts>> runtimes, IProcessSource source, Func<uint, bool?> hasTimeout, CaptureContext context)
    {
        if (!runtimes.TryGet(out IReadOnlyList<RuntimeFacts>? found))
        {
            Gap unknown = runtimes.Gap!;
            return Unknown($"whether the process runs .NET is not known: {unknown.Why}", unknown.IsLoss);
        }

        if (found.Count == 0)
        {
            return new ManagedHalf(null, null, []);
        }

        if (context.WhyWithoutRuntime is { } without)
        {
            return Unknown(without);
        }

        context.Progress?.Report("runtime");
        try
        {
            using OpenedRuntime? opened = source.Runtime.Open(context, out string why);
            return opened is null
                ? Unknown(why)
                : Of(ManagedReader.Read(opened.Runtime, hasTimeout, source.Crash?.Thread, context),
                    opened.Runtime.DataTarget.ClrVersions.Length);
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            return new ManagedHalf(Known<ManagedFacts>.Unknown(Attempt.Failed(What, e)), null, []);
        }
    }

    /// <summary>Not known, for this reason.</summary>
    public static ManagedHalf Unknown(string why, bool isLoss = false)
        => new(Known<ManagedFacts>.Unknown(new Gap(What, why) { IsLoss = isLoss }), null, []);

    private static ManagedHalf Of(ManagedReading reading, int runtimes)
        => new(
            Known.Read(reading.Facts),
            reading,
            runtimes > 1 ? [new Gap("runtimes", $"{runtimes} .NET runtimes are loaded; only the first is read"), .. reading.Gaps] : reading.Gaps);
}
