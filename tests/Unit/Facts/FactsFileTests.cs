using System.Text;
using System.Text.Json.Nodes;
using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Facts;

public sealed class FactsFileTests
{
    private static readonly LockId s_lock = SnapshotBuilder.Monitor(0x7f0000001000);

    private static ProcessSnapshot Snapshot()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(0x6710, new ThreadOptions { Name = "worker", Cpu = new CpuTime(TimeSpan.FromTicks(80_686_710_000), TimeSpan.FromTicks(1)), Loop = Known.Derived(new LoopFacts(new Address(0x1000), new Address(0x1020), 9, true, 1)), IsInSystemCall = Known.Derived(true), IsSuspended = true }, "ntdll!NtYieldExecution", "spin!")
            .Thread(0x1000, new ThreadOptions { Cpu = null, Life = null, StackStopped = new Gap("stack", "no memory") }, "App.Main")
            .Lock(s_lock, 0x6710)
            .Waits(0x1000, s_lock, TimeSpan.FromSeconds(3))
            .LoaderLock(0x6710)
            .Gap("handles", "no handle stream")
            .Build();
        return snapshot with { Windows = WithNativeFacts(snapshot.Windows!), Threads = snapshot.Threads.Select(WithSystemCall) };
    }

    private static IReadOnlyList<ThreadFacts> WithSystemCall(IReadOnlyList<ThreadFacts> threads)
        => [threads[0] with { SystemCall = Known.Derived(new SystemCallFacts(Known.Read(0x46u), Known.Unknown<string>("name", "no export")) { Delay = Known.Derived(Timeout.InfiniteTimeSpan) }) }, .. threads.Skip(1)];

    private static WindowsFacts WithNativeFacts(WindowsFacts windows)
    {
        LockId mutex = new(LockKind.Mutex, new Address(0x2a0));
        return windows with
        {
            Locks = Known.Derived<IReadOnlyList<LockFacts>>([windows.LoaderLock.Value with { Id = mutex }]),
            Waits = Known.Derived<IReadOnlyList<WaitFacts>>(
            [
                new WaitFacts
                {
                    Thread = new ThreadId(0x1000),
                    Lock = mutex,
                    Kind = WaitKind.Exit,
                    Mode = WaitMode.AllOrAny,
                    TargetThread = new ThreadId(0x6710),
                    TargetProcess = 7,
                    Timeout = Known.Derived(Timeout.InfiniteTimeSpan),
                    Trust = Trust.Scanned,
                    Source = "register rcx",
                },
            ]),
            Handles = Known.Read<IReadOnlyList<HandleFacts>>(
            [
                new HandleFacts
                {
                    Value = mutex.Address,
                    Type = Known.Read("Mutant"),
                    Name = Known.Read("SettingsFile"),
                    Owner = Known.Read(new ThreadId(0x6710)),
                    IsSignaled = Known.Read(false),
                    TargetProcess = Known.Read(7u),
                },
            ]),
        };
    }

    [Fact]
    public void Facts_are_the_same_after_writing_and_reading()
    {
        byte[] written = Write(Snapshot());
        byte[] again = Write(FactsFile.Read(new MemoryStream(written)));

        Assert.Equal(Encoding.UTF8.GetString(written), Encoding.UTF8.GetString(again));
    }

    [Fact]
    public void Every_kind_of_fact_survives()
    {
        ProcessSnapshot read = FactsFile.Read(new MemoryStream(Write(Snapshot())));

        ThreadFacts spinner = read.Threads.Value[0];
        Assert.Equal(new ThreadId(0x6710), spinner.OsId);
        Assert.Equal(TimeSpan.FromTicks(80_686_710_000), spinner.Cpu.Value.User);
        Assert.Equal("NtYieldExecution", spinner.Stack.Frames[0].Method);
        Assert.Null(spinner.Stack.Frames[1].Method);
        Assert.Equal(new LoopFacts(new Address(0x1000), new Address(0x1020), 9, true, 1), spinner.Loop!.Value);
        Assert.True(spinner.IsInSystemCall!.Value);
        Assert.Null(read.Threads.Value[1].Loop);
        Assert.Equal("no thread times in the dump", read.Threads.Value[1].Cpu.Gap!.Why);
        Assert.Equal(new Gap("stack", "no memory"), read.Threads.Value[1].Stack.Stopped);
        Assert.Equal(TimeSpan.FromSeconds(3), read.Managed!.Value.Waits.Value[0].Timeout.Value);
        Assert.Equal(new ThreadId(0x6710), read.Windows!.LoaderLock.Value.Owner.Value);
        Assert.Equal(Trust.Read, read.Windows.LoaderLock.Value.Owner.Trust);
        Assert.Equal([new Gap("handles", "no handle stream")], read.Gaps);
    }

    [Fact]
    public void Native_facts_survive()
    {
        ProcessSnapshot read = FactsFile.Read(new MemoryStream(Write(Snapshot())));

        WaitFacts wait = Assert.Single(read.Windows!.Waits.Value);
        Assert.Equal((WaitKind.Exit, WaitMode.AllOrAny, new ThreadId(0x6710), 7u), (wait.Kind, wait.Mode, wait.TargetThread!.Value, wait.TargetProcess!.Value));
        Assert.Equal(wait.Lock, Assert.Single(read.Windows.Locks.Value).Id);
        HandleFacts handle = Assert.Single(read.Windows.Handles.Value);
        Assert.Equal(("Mutant", new ThreadId(0x6710), false), (handle.Type.Value, handle.Owner!.Value, handle.IsSignaled!.Value));
        Assert.Null(handle.TargetThread);
        Assert.Equal(0x46u, read.Threads.Value[0].SystemCall!.Value.Number.Value);
        Assert.Null(read.Threads.Value[1].SystemCall);
    }

    [Fact]
    public void Facts_written_before_native_locks_were_read_have_gaps_for_them()
    {
        JsonNode root = JsonNode.Parse(Write(Snapshot()))!;
        foreach (string part in new[] { "locks", "waits", "handles" })
        {
            root["windows"]!.AsObject().Remove(part);
        }

        WindowsFacts windows = FactsFile.Read(Utf8(root)).Windows!;
        Assert.Equal(new Gap("native locks", "they were not captured"), windows.Locks.Gap);
        Assert.False(windows.Waits.HasValue);
        Assert.False(windows.Handles.HasValue);
    }

    [Fact]
    public void Addresses_and_ids_are_hex_strings()
    {
        JsonNode root = JsonNode.Parse(Write(Snapshot()))!;

        Assert.Equal("0x6710", (string?)root["threads"]!["value"]![0]!["osId"]);
        Assert.Equal("0x7f0000001000", (string?)root["managed"]!["value"]!["locks"]!["value"]![0]!["id"]!["address"]);
    }

    [Theory]
    [InlineData("")]
    [InlineData("null")]
    [InlineData("[]")]
    [InlineData("{}")]
    [InlineData("{\"schema\":1")]
    [InlineData("plain text")]
    public void What_is_no_facts_file_is_refused_with_one_line(string text)
    {
        InvalidDataException e = Assert.Throws<InvalidDataException>(() => FactsFile.Read(new MemoryStream(Encoding.UTF8.GetBytes(text))));

        Assert.DoesNotContain('\n', e.Message);
    }

    [Fact]
    public void Another_schema_is_refused_by_its_number()
    {
        JsonNode root = JsonNode.Parse(Write(Snapshot()))!;
        root["schema"] = 99;

        InvalidDataException e = Assert.Throws<InvalidDataException>(() => FactsFile.Read(Utf8(root)));

        Assert.Contains("99", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_null_or_a_wrong_type_anywhere_is_refused_or_harmless()
    {
        JsonNode root = JsonNode.Parse(Write(Snapshot()))!;
        foreach (string path in Paths(root, ""))
        {
            foreach (JsonNode? lie in new JsonNode?[] { null, JsonValue.Create(-1), JsonValue.Create("0xzz"), new JsonArray(), new JsonObject() })
            {
                JsonNode mutant = JsonNode.Parse(root.ToJsonString())!;
                Replace(mutant, path, lie?.DeepClone());
                try
                {
                    TriageResult result = Triage.Judge(FactsFile.Read(Utf8(mutant)));
                    Assert.All(result.Rules, report => Assert.NotEqual(RuleOutcomeKind.Failed, report.Outcome.Kind));
                }
                catch (InvalidDataException)
                {
                    continue;
                }
                catch (Exception e)
                {
                    Assert.Fail($"{path} = {lie?.ToJsonString() ?? "null"}: {e}");
                }
            }
        }
    }

    private static byte[] Write(ProcessSnapshot snapshot)
    {
        using MemoryStream stream = new();
        FactsFile.Write(snapshot, stream);
        return stream.ToArray();
    }

    private static MemoryStream Utf8(JsonNode node) => new(Encoding.UTF8.GetBytes(node.ToJsonString()));

    private static IEnumerable<string> Paths(JsonNode? node, string path) => node switch
    {
        JsonObject members => members.SelectMany(member => Paths(member.Value, $"{path}/{member.Key}").Prepend($"{path}/{member.Key}")),
        JsonArray items => items.SelectMany((item, index) => Paths(item, $"{path}/{index}").Prepend($"{path}/{index}")),
        _ => [],
    };

    private static void Replace(JsonNode root, string path, JsonNode? value)
    {
        string[] steps = path.Split('/', StringSplitOptions.RemoveEmptyEntries);
        JsonNode parent = steps[..^1].Aggregate(root, (node, step) => node is JsonArray list ? list[int.Parse(step)]! : node[step]!);
        if (parent is JsonArray array)
        {
            array[int.Parse(steps[^1])] = value;
        }
        else
        {
            parent[steps[^1]] = value;
        }
    }
}
