using HangTriage.Facts;
using HangTriage.Tests.Support.Synthetic.Traces.Scenarios;

namespace HangTriage.Tests.Unit.Traces;

/// <summary>The traces of hundreds of thousands of calls, each written and read once for all tests.</summary>
internal static class StormTraces
{
    private static readonly Lazy<TraceFacts> s_reads = new(() => EtlFile.Read(TinyReadsTrace.Build()));
    private static readonly Lazy<TraceFacts> s_registry = new(() => EtlFile.Read(RegistryTrace.Build()));

    public static TraceFacts Reads => s_reads.Value;

    public static TraceFacts Registry => s_registry.Value;
}
