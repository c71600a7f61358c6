using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>
/// The server's garbage collector has a table of handles for each processor, of which the DAC reads one where there is one heap. On .NET 9
/// the handles to the arrays of static fields are in another, on any machine that it was tried on.
/// </summary>
public sealed class ServerHandlesTests
{
    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task The_handles_of_all_tables_are_read(TargetFramework framework)
    {
        if (Environment.ProcessorCount < 2)
        {
            Skip.OnThisMachine("with one processor there is no server's garbage collector");
        }

        ProcessSnapshot snapshot = Cores.Read(await Cores.TargetAsync("ServerHandles", framework));

        Assert.Equal(
            [("waits-behind", FlowRoot.Static), ("waits-handle", FlowRoot.Static), ("waits-static", FlowRoot.Thread)],
            snapshot.Managed!.Value.Waits.Value.Where(wait => wait.Reach is not null)
                .Select(wait => (NameOf(snapshot, wait.Thread), wait.Reach!.By)).Order());
    }

    private static string NameOf(ProcessSnapshot snapshot, ThreadId id)
        => snapshot.Threads.Value.Single(thread => thread.OsId == id).Name.TryGet(out string? name) ? name : string.Empty;
}
