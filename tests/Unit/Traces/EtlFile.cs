using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Synthetic.Traces;
using HangTriage.Traces;
using HangTriage.Traces.Files;

namespace HangTriage.Tests.Unit.Traces;

/// <summary>Reads bytes as the file that they would be.</summary>
internal static class EtlFile
{
    public static TraceFacts Read(SyntheticTrace trace) => Read(trace.Build());

    public static TraceFacts Read(byte[] bytes, TraceContext? context = null)
    {
        using TemporaryFolder folder = new();
        string path = folder["trace"];
        File.WriteAllBytes(path, bytes);
        return TraceFile.Read(path, context ?? TraceContext.Default);
    }

    public static TraceThread Thread(this TraceFacts facts, uint tid) => facts.Threads.Single(thread => thread.OsId.Value == tid);
}
