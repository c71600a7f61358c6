using System.Globalization;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>Waits for what is outside the process, against what the program that is in them printed.</summary>
public sealed class OutsideWaitsTests
{
    public static TheoryData<TargetFramework> Frameworks => [TargetFramework.Net8, TargetFramework.Net9, TargetFramework.Net10];

    [Theory]
    [MemberData(nameof(Frameworks))]
    public async Task Each_call_leads_to_the_other_side(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("OutsideWaits", framework);
        IReadOnlyList<OutsideWaitFacts> waits = Cores.Read(process).Managed!.Value.Outside!.Value;

        IReadOnlyDictionary<string, string>[] truth = [.. process.Records("name").Where(record => record["end"] != "Task")];
        Assert.Equal(truth.Select(Expected), truth.Select(record => Seen(record["name"], waits.SingleOrDefault(wait => wait.Thread == IdOf(record)))));
        Assert.Equal(truth.Length, waits.Count);
    }

    [Theory]
    [MemberData(nameof(Frameworks))]
    public async Task A_task_leads_to_the_socket_that_completes_it(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("OutsideWaits", framework);
        TaskGraphFacts tasks = Cores.Read(process).Managed!.Value.Tasks.Value;

        SocketFacts[] sockets = [.. tasks.Tasks.SelectMany(task => task.Needs).Where(need => need.Kind == TaskNeedKind.Io).Select(need => need.Socket!)];
        string peer = process.Records("name").Single(record => record["end"] == "Task")["peer"];
        Assert.Single(sockets, socket => socket is { Operation: SocketOperation.Receive, IsAccepted: false } && socket.Peer!.Value == peer);
    }

    [Theory]
    [MemberData(nameof(Frameworks))]
    public async Task Time_outs_and_accepted_connections_are_read(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("OutsideWaits", framework);
        Dictionary<string, ThreadId> ids = process.Records("name").ToDictionary(record => record["name"], IdOf);
        Dictionary<ThreadId, OutsideWaitFacts> waits = Cores.Read(process).Managed!.Value.Outside!.Value.ToDictionary(wait => wait.Thread);

        Assert.Equal(TimeSpan.FromHours(1), waits[ids["timed"]].Socket!.Value.ReceiveTimeout);
        Assert.Equal(Timeout.InfiniteTimeSpan, waits[ids["receive"]].Socket!.Value.ReceiveTimeout);
        Assert.Equal(TimeSpan.FromHours(1), waits[ids["http-timed"]].Limit);
        Assert.Null(waits[ids["http"]].Limit);
        Assert.Equal(["accepted"], ids.Where(thread => waits.TryGetValue(thread.Value, out OutsideWaitFacts? wait) && wait.Socket?.Value.IsAccepted == true).Select(thread => thread.Key));
        Assert.Equal(
            ["accept", "listener"], ids.Where(thread => waits.TryGetValue(thread.Value, out OutsideWaitFacts? wait) && wait.Socket?.Value.IsListening == true).Select(thread => thread.Key).Order());
    }

    [Theory]
    [MemberData(nameof(Frameworks))]
    public async Task What_is_written_and_not_flushed_is_in_the_buffer_over_the_socket_that_is_read(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("OutsideWaits", framework);
        ManagedFacts managed = Cores.Read(process).Managed!.Value;
        Dictionary<ThreadId, Address?> sockets = managed.Outside!.Value.ToDictionary(wait => wait.Thread, wait => wait.FindSocket()?.At);

        IReadOnlyDictionary<string, string>[] truth = [.. process.Records("unsent")];

        Assert.Equal(3, truth.Length);
        Assert.All(truth, record => Assert.Equal(
            record["unsent"],
            managed.Unsent!.SingleOrDefault(unsent => unsent.Socket == sockets[IdOf(record)]) is { } found
                ? $"{found.Writer.Split('.')[^1]}:{found.Count}" : "-"));
        Assert.Equal(2, managed.Unsent!.Count);
    }

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task An_async_method_serves_the_accepted_connection_that_its_variables_lead_to(TargetFramework framework)
    {
        ManagedFacts managed = Cores.Read(await Cores.TargetAsync("OutsideWaits", framework)).Managed!.Value;

        FlowGroup serving = Assert.Single(managed.Flows!.Value.Groups, group => group.AcceptedAt is not null);
        Assert.EndsWith("AnswerLateAsync", serving.Method, StringComparison.Ordinal);
        Assert.StartsWith("127.0.0.1:", serving.AcceptedAt, StringComparison.Ordinal);
    }

    // A slot that a frame does not use any more can hold another socket: one of the runtime's own pipes was seen there.
    [Fact]
    public async Task Of_several_sockets_in_the_call_the_one_whose_peer_has_a_known_address_is_taken()
    {
        DumpedProcess process = await Cores.TargetAsync("OutsideWaits", TargetFramework.Net10);
        IReadOnlyDictionary<string, string> record = process.Records("name").Single(record => record["name"] == "receive");
        using TemporaryFolder folder = new();
        string changed = folder["changed.core"];
        ChangedCore.Write(process.CorePath, changed, WithOther(process.CorePath, IdOf(record)));

        IReadOnlyList<OutsideWaitFacts> waits = Cores.Read(process with { CorePath = changed }).Managed!.Value.Outside!.Value;

        Assert.Equal(record["peer"], Text(waits.Single(wait => wait.Thread == IdOf(record)).Socket?.Value.Peer));
    }

    // The innermost slot of the thread's stack that has an object gets another socket, whose peer is no address.
    private static (ulong Address, ulong Value)[] WithOther(string core, ThreadId thread)
    {
        const string type = "System.Net.Sockets.Socket";
        using DataTarget target = DataTarget.LoadDump(core);
        using ClrRuntime runtime = target.ClrVersions.Single().CreateRuntime();
        ClrThread waiting = runtime.Threads.Single(found => found.OSThreadId == thread.Value);
        ClrStackRoot[] roots = [.. waiting.EnumerateStackRoots()];
        ClrStackRoot slot = roots.First(root => root is { IsInterior: false, Address: not 0 });
        ClrObject own = roots.First(root => root.Object.Type?.Name == type).Object;
        ClrObject other = runtime.Heap.EnumerateObjects().First(found => found.Type?.Name == type && found.Address != own.Address);
        ClrInstanceField peer = other.Type!.GetFieldByName("_remoteEndPoint")!;
        Assert.True(slot.StackFrame!.StackPointer < roots.First(root => root.Object.Address == own.Address).StackFrame!.StackPointer);
        return [(slot.Address, other.Address), (peer.GetAddress(other.Address), other.Address)];
    }

    private static string Expected(IReadOnlyDictionary<string, string> record)
        => $"{record["name"]}: {record["end"]} {record["peer"]} {record["process"]} {record.GetValueOrDefault("unread", "None")}";

    private static string Seen(string name, OutsideWaitFacts? wait)
        => wait is null ? $"{name}: not seen"
            : $"{name}: {OutsideCalls.Find(wait.Call)!.Outside} {Text(wait.Socket?.Value.Peer)} {Text(wait.Child?.Value.Id)} {wait.Child?.Value.Unread.Value ?? UnreadOutput.None}";

    private static string Text<T>(Known<T>? known)
        where T : notnull
        => known is null ? "-" : known.TryGet(out T? value) ? string.Create(CultureInfo.InvariantCulture, $"{value}") : $"{known.Gap}";

    private static ThreadId IdOf(IReadOnlyDictionary<string, string> record)
        => new(uint.Parse(record["osid"].AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture));
}
