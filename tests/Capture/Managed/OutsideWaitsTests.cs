using System.Globalization;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;

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
        Assert.Equal(["accepted"], ids.Where(thread => waits.TryGetValue(thread.Value, out OutsideWaitFacts? wait) && wait.Socket?.Value.IsAccepted == true).Select(thread => thread.Key));
        Assert.Equal(
            ["accept", "listener"], ids.Where(thread => waits.TryGetValue(thread.Value, out OutsideWaitFacts? wait) && wait.Socket?.Value.IsListening == true).Select(thread => thread.Key).Order());
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
