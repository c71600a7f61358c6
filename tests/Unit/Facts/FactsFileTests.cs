using System.Text;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Observing;
using HangTriage.Tests.Support.Facts;
using HangTriage.Tests.Unit.Gaps;

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
        byte[] again = Write(FactsFile.Read(new MemoryStream(written)).Last);

        Assert.Equal(Encoding.UTF8.GetString(written), Encoding.UTF8.GetString(again));
    }

    [Fact]
    public void Suspended_async_methods_survive_and_facts_of_before_have_none()
    {
        FlowGroup group = new()
        {
            Method = "App.Feed.WriteAsync",
            Await = 2,
            Source = new SourceLine("App/Feed.cs", 31),
            Count = 7,
            State = FlowState.Suspended,
            Waits = new FlowWait
            {
                Kind = FlowWaitKind.Channel,
                Address = new Address(0x7f0000002000),
                Objects = 2,
                Type = "System.Threading.Channels.BoundedChannel<int>",
                Label = "App.Feed.items",
                Via = "System.Threading.Channels.ChannelWriter.WriteAsync",
                Entries = new SemaphoreEntries(0, 1),
                Queue = new FlowQueue(FlowQueueEnd.Writer, 5, 5, false),
                EndsByTimer = true,
                SetFor = TimeSpan.FromSeconds(5),
                EndsByToken = true,
            },
            AwaitedBy = ["App.Feed.RunAsync"],
            IsChainCut = true,
            Root = FlowRoot.Thread,
            RootThread = new ThreadId(0x1000),
            Sample = new Address(0x7f0000003000),
        };
        ProcessSnapshot snapshot = SnapshotBuilder.Linux().Thread(0x1000, "App.Main").Flow(group).Build();
        string json = Encoding.UTF8.GetString(Write(snapshot));

        FlowsFacts read = FactsFile.Read(new MemoryStream(Encoding.UTF8.GetBytes(json))).Last.Managed!.Value.Flows!.Value;

        FlowGroup same = Assert.Single(read.Groups);
        Assert.Equal(group with { AwaitedBy = [] }, same with { AwaitedBy = [] });
        Assert.Equal(group.AwaitedBy, same.AwaitedBy);
        Assert.Equal(7, read.Suspended);
        JsonNode former = JsonNode.Parse(json)!;
        Assert.True(former["samples"]![0]!["managed"]!["value"]!.AsObject().Remove("flows"));
        Assert.Null(FactsFile.Read(new MemoryStream(Encoding.UTF8.GetBytes(former.ToJsonString()))).Last.Managed!.Value.Flows);
    }

    [Fact]
    public void Every_kind_of_fact_survives()
    {
        ProcessSnapshot read = FactsFile.Read(new MemoryStream(Write(Snapshot()))).Last;

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
    public void A_loss_survives_and_only_a_loss_is_written()
    {
        Gap loss = new("stack", "cut off") { IsLoss = true };
        ProcessSnapshot snapshot = Snapshot() with { Gaps = [loss], Modules = Known<IReadOnlyList<ModuleFacts>>.Unknown(loss) };

        byte[] written = Write(snapshot);
        ProcessSnapshot read = FactsFile.Read(new MemoryStream(written)).Last;

        Assert.Equal([loss], read.Gaps);
        Assert.Equal(loss, read.Modules.Gap);
        Assert.False(read.Threads.Value[0].StartAddress.Gap!.IsLoss);
        Assert.Equal(2, Encoding.UTF8.GetString(written).Split("\"isLoss\": true").Length - 1);
        Assert.DoesNotContain("\"isLoss\": false", Encoding.UTF8.GetString(written), StringComparison.Ordinal);
    }

    [Fact]
    public void Native_facts_survive()
    {
        ProcessSnapshot read = FactsFile.Read(new MemoryStream(Write(Snapshot()))).Last;

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
        JsonNode sample = root["samples"]![0]!;
        foreach (string part in new[] { "locks", "waits", "handles" })
        {
            sample["windows"]!.AsObject().Remove(part);
        }

        WindowsFacts windows = FactsFile.Read(Utf8(root)).Last.Windows!;
        Assert.Equal(new Gap("native locks", "they were not captured"), windows.Locks.Gap);
        Assert.False(windows.Waits.HasValue);
        Assert.False(windows.Handles.HasValue);
    }

    [Fact]
    public void Addresses_and_ids_are_hex_strings()
    {
        JsonNode root = JsonNode.Parse(Write(Snapshot()))!["samples"]![0]!;

        Assert.Equal("0x6710", (string?)root["threads"]!["value"]![0]!["osId"]);
        Assert.Equal("0x7f0000001000", (string?)root["managed"]!["value"]!["locks"]!["value"]![0]!["id"]!["address"]);
    }

    [Theory]
    [InlineData("")]
    [InlineData("null")]
    [InlineData("[]")]
    [InlineData("{}")]
    [InlineData("{\"schema\":1")]
    [InlineData("{\"schema\":1}")]
    [InlineData("{\"schema\":2}")]
    [InlineData("{\"schema\":2,\"samples\":null}")]
    [InlineData("{\"schema\":2,\"samples\":[]}")]
    [InlineData("{\"schema\":2,\"samples\":[null]}")]
    [InlineData("{\"schema\":\"2\",\"samples\":[]}")]
    [InlineData("plain text")]
    public void What_is_no_facts_file_is_refused_with_one_line(string text)
    {
        InvalidDataException e = Assert.Throws<InvalidDataException>(() => FactsFile.Read(new MemoryStream(Encoding.UTF8.GetBytes(text))));

        Assert.DoesNotContain('\n', e.Message);
    }

    [Fact]
    public void A_case_of_several_samples_survives_and_what_joins_them_is_worked_out_again()
    {
        ProcessSnapshot[] samples = [Sample(20), Sample(10) with { Gaps = [new Gap("heap", "not in the dump")] }, Sample(0)];

        JsonNode root = JsonNode.Parse(Write(Case.Of(samples)))!;
        Case read = FactsFile.Read(Utf8(root));

        Assert.Equal(2, (int?)root["schema"]);
        Assert.Equal([20, 10], read.Joins.Select(join => join.Between.Value.TotalSeconds));
        Assert.Equal([0, 1, 0], read.Samples.Select(sample => sample.Gaps.Count));
        Assert.Equal(root.ToJsonString(), JsonNode.Parse(Write(read))!.ToJsonString());
    }

    [Fact]
    public void A_file_of_schema_1_is_still_read()
    {
        JsonNode root = JsonNode.Parse(Write(Snapshot()))!["samples"]![0]!.DeepClone();
        root["schema"] = 1;

        Case read = FactsFile.Read(Utf8(root));

        Assert.Empty(read.Joins);
        Assert.Equal(Encoding.UTF8.GetString(Write(Snapshot())), Encoding.UTF8.GetString(Write(read)));
    }

    [Fact]
    public void What_is_missing_in_an_earlier_sample_is_refused_with_its_number()
    {
        JsonNode root = JsonNode.Parse(Write(Case.Of([Sample(10), Sample(0)])))!;
        root["samples"]![0]!["gaps"] = new JsonArray((JsonNode?)null);

        Assert.Equal("not a facts file: $.samples[0].gaps[0] is null", Refusal(root));
    }

    [Fact]
    public void The_identity_of_a_process_survives()
    {
        ProcessSnapshot snapshot = Sample(0);
        ProcessIdentity identity = new(Known.Derived("0123456789ABCDEF"), new Address(0x40), new Address(0x7f0000000000), null);

        ProcessSnapshot read = FactsFile.Read(new MemoryStream(Write(snapshot with { Target = snapshot.Target with { Identity = Known.Read(identity) } }))).Last;

        Assert.Equal(identity, read.Target.Identity!.Value);
        Assert.Null(FactsFile.Read(new MemoryStream(Write(snapshot))).Last.Target.Identity);
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

    [Theory]
    [InlineData("managed/value/polls/value/0/fields")]
    [InlineData("managed/value/polls/value/0/calls/0")]
    [InlineData("managed/value/pool/value/items/0")]
    [InlineData("managed/value/requests/value/list")]
    [InlineData("managed/value/work/value/0/frames/0/method")]
    [InlineData("managed/value/flows/value/groups/0/awaitedBy")]
    [InlineData("windows/handles/value/0/type")]
    [InlineData("linux/waits/value/0/source")]
    [InlineData("threads/value/0/stack/frames/0/source/file")]
    public void A_null_in_a_needed_place_is_named_by_its_path(string place)
    {
        JsonNode root = JsonNode.Parse(Write(FilledFacts.Snapshot()))!;
        Replace(root, $"samples/0/{place}", null);

        string expected = Regex.Replace($"$/samples/0/{place}", @"/(\d+)", "[$1]").Replace('/', '.');
        Assert.Equal($"not a facts file: {expected} is null", Refusal(root));
    }

    /// <summary>Also a null that no test above thinks of.</summary>
    [Fact]
    public void A_null_in_any_place_of_all_facts_is_refused_or_harmless()
    {
        JsonNode root = JsonNode.Parse(Write(FilledFacts.Snapshot()))!;
        string json = root.ToJsonString();
        string[] places = [.. Paths(root, "")];
        Assert.True(places.Length > 500, $"{places.Length}");
        Assert.All(places, place =>
        {
            JsonNode mutant = JsonNode.Parse(json)!;
            Replace(mutant, place, null);
            if (Record.Exception(() => FactsFile.Read(Utf8(mutant))) is { } e)
            {
                Assert.IsType<InvalidDataException>(e);
                Assert.DoesNotContain('\n', e.Message);
                return;
            }

            IReadOnlyList<RuleReport> rules = Triage.Judge(FactsFile.Read(Utf8(mutant))).Rules;
            Assert.All(rules, report => Assert.NotEqual(RuleOutcomeKind.Failed, report.Outcome.Kind));
        });
    }

    private static string Refusal(JsonNode facts) => Assert.Throws<InvalidDataException>(() => FactsFile.Read(Utf8(facts))).Message;

    private static byte[] Write(ProcessSnapshot snapshot) => Write(Case.Of(snapshot));

    private static byte[] Write(Case @case)
    {
        using MemoryStream stream = new();
        FactsFile.Write(@case, stream);
        return stream.ToArray();
    }

    private static ProcessSnapshot Sample(double secondsBefore)
        => SnapshotBuilder.Linux().Earlier(TimeSpan.FromSeconds(secondsBefore)).Thread(1, "App.Main").Build();

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
