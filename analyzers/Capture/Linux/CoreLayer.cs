using HangTriage.Capture.Managed;
using Microsoft.Diagnostics.Runtime;
using Microsoft.Diagnostics.Runtime.DataReaders.Implementation;

namespace HangTriage.Capture.Linux;

/// <summary>A core as another reader shows it, with that reader's threads.</summary>
internal abstract class CoreLayer(IDataReader core) : ForwardingReader(core), IThreadReader, IThreadInfoReader, IParallelReader, IContextStandIn
{
    private readonly Dictionary<uint, byte[]> _standIns = [];

    public virtual bool IsParallel => Target is IParallelReader { IsParallel: true };

    public void StandIn(uint thread, byte[] context) => _standIns[thread] = context;

    public bool HasStandIn(uint thread) => _standIns.ContainsKey(thread);

    public override bool GetThreadContext(uint threadID, uint contextFlags, Span<byte> context)
        => _standIns.TryGetValue(threadID, out byte[]? other) ? other.AsSpan().TryCopyTo(context) : base.GetThreadContext(threadID, contextFlags, context);

    public IEnumerable<uint> EnumerateOSThreadIds() => (Target as IThreadReader)?.EnumerateOSThreadIds() ?? [];

    public ulong GetThreadTeb(uint osThreadId) => 0;

    public bool TryGetThreadInfo(uint osThreadId, out ThreadInfo info)
    {
        info = default;
        return Target is IThreadInfoReader reader && reader.TryGetThreadInfo(osThreadId, out info);
    }

    public IEnumerable<ThreadInfo> EnumerateThreadInfo() => (Target as IThreadInfoReader)?.EnumerateThreadInfo() ?? [];
}
