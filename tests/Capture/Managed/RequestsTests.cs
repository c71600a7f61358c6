using System.Globalization;
using HangTriage.Facts;
using HangTriage.Facts.Time;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>The requests of a web service that answers none, and their ages, against what the program printed.</summary>
public sealed class RequestsTests
{
    // Between two looks of the program's ticking thread at the clock.
    private static readonly TimeSpan s_tick = TimeSpan.FromSeconds(1);

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task Each_request_is_named_by_its_route_and_no_path_or_query_is_told(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("Requests", framework);
        IReadOnlyList<RequestFacts> requests = Cores.Read(process).Managed!.Value.Requests!.Value.List;

        Assert.Equal(
            [
                "GET - Unanswered x2",
                "GET /loud/events Answering x1", "GET /loud/mute Unanswered x1", "GET /loud/orders/{id} Unanswered x2",
                "GET /quiet/events Answering x1", "GET /quiet/mute Unanswered x1", "GET /quiet/orders/{id} Unanswered x2",
                "POST /loud/never/{id:int} Unanswered x2", "POST /quiet/never/{id:int} Unanswered x2",
            ],
            requests.Where(request => request.Kind == RequestKind.Served)
                .GroupBy(request => $"{request.Method} {request.Route ?? "-"} {request.State}")
                .Select(group => $"{group.Key} x{group.Count()}").Order(StringComparer.Ordinal));
        Assert.Equal(16, requests.Count(request => request.Kind == RequestKind.Sent));
        Assert.DoesNotContain(
            requests, request => $"{request.Method} {request.Route} {request.Since?.Source}".Contains("471", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task A_request_leads_to_the_thread_or_the_async_method_that_it_has_come_to(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("Requests", framework);
        ProcessSnapshot snapshot = Cores.Read(process);
        ManagedFacts facts = snapshot.Managed!.Value;
        ILookup<string?, RequestFacts> requests =
            facts.Requests!.Value.List.Where(request => request.Kind == RequestKind.Served).ToLookup(request => request.Route);
        ThreadId[] waiting = [.. facts.Waits.Value.Where(wait => wait.Kind == WaitKind.Acquire).Select(wait => wait.Thread)];

        Assert.Equal(
            waiting.Order(),
            requests["/loud/orders/{id}"].Concat(requests["/quiet/orders/{id}"]).Select(request => request.Thread!.Value).Order());
        Assert.All(requests["/loud/never/{id:int}"], request => Assert.Equal("Requests.Program.NeverAsync", MethodOf(facts, request)));
        Assert.All(requests["/quiet/mute"], request => Assert.Equal("Requests.Program.AskAsync", MethodOf(facts, request)));
    }

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task Each_age_holds_the_true_one(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("Requests", framework);
        IReadOnlyList<RequestFacts> requests = Cores.Read(process).Managed!.Value.Requests!.Value.List;
        TimeSpan now = NowOf(process);

        foreach (string name in new[] { "loud", "quiet" })
        {
            string source = name == "loud" ? "noted by the web server" : "noted by its Activity";
            foreach ((string route, string[] ages) in new[]
            {
                ("orders/{id}", new[] { "orders", "orders" }), ("never/{id:int}", ["never4713", "never4714"]),
                ("mute", ["mute"]), ("events", ["events"]),
            })
            {
                Age[] told = [.. requests.Where(request => request.Route == $"/{name}/{route}").Select(request => request.Since!)];

                Assert.Equal(ages.Length, told.Length);
                Hold(process, now, told, [.. ages.Select(age => $"{name}-{age}").Distinct()]);
                Assert.All(told, age => Assert.Equal(source, age.Source));
            }
        }

        Age[] sent = [.. requests.Where(request => request.Kind == RequestKind.Sent).Select(request => request.Since).OfType<Age>()];
        Assert.Equal(2, sent.Length);
        Hold(process, now, sent, ["loud-mute", "quiet-mute"]);
    }

    // A request begins after it was asked and before it comes to its method: sorted, that holds for each of several.
    private static void Hold(DumpedProcess process, TimeSpan now, IReadOnlyList<Age> told, string[] names)
    {
        TimeSpan[] asked = [.. names.SelectMany(name => AgesOf(process, "ask", name, now)).Order()];
        TimeSpan[] came = [.. names.SelectMany(name => AgesOf(process, "age", name, now)).Order()];
        Assert.Equal(told.Count, asked.Length);
        Assert.All(
            told.OrderBy(age => age.AtLeast).Zip(asked),
            pair => Assert.InRange(pair.First.AtLeast, TimeSpan.FromMilliseconds(1), pair.Second + s_tick));
        Assert.All(told.OrderBy(age => age.AtMost).Zip(came), pair => Assert.True(pair.First.AtMost >= pair.Second - s_tick, $"{pair}"));
        Assert.All(told, age => Assert.True(age.AtMost - age.AtLeast < TimeSpan.FromSeconds(8), $"{age}"));
    }

    private static string? MethodOf(ManagedFacts facts, RequestFacts request)
        => facts.Flows!.Value.Groups.FirstOrDefault(group => group.Sample == request.Flow)?.Method;

    private static IEnumerable<TimeSpan> AgesOf(DumpedProcess process, string key, string name, TimeSpan now)
        => process.Records(key).Where(record => record[key] == name)
            .Select(record => now - TimeSpan.FromMilliseconds(long.Parse(record["start"], CultureInfo.InvariantCulture)));

    // By ClrMD alone.
    private static TimeSpan NowOf(DumpedProcess process)
    {
        using DataTarget target = DataTarget.LoadDump(process.CorePath);
        ClrInfo info = target.ClrVersions.Single();
        using ClrRuntime runtime = process.RuntimeFolder is { } folder
            ? info.CreateRuntime(Path.Combine(folder, "libmscordaccore.so"), ignoreMismatch: true)
            : info.CreateRuntime();
        ClrType program = runtime.EnumerateModules().Select(module => module.GetTypeByName("Requests.Program")).OfType<ClrType>().First();
        return TimeSpan.FromMilliseconds(program.GetStaticFieldByName("s_now")!.Read<long>(runtime.AppDomains[0]));
    }
}
