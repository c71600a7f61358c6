using System.Text;
using System.Text.Json.Nodes;
using HangTriage.Facts;
using HangTriage.Reports.Json;
using HangTriage.Rules;
using HangTriage.Tests.Support.Facts;
using HangTriage.Tests.Support.Synthetic.Traces.Scenarios;

namespace HangTriage.Tests.Unit.Traces;

/// <summary>A trace in a facts file: judged again, it says the same.</summary>
public sealed class StoredTraceTests
{
    private const string Folder = @"\Device\HarddiskVolume3\";

    public static TheoryData<string, string> Cases { get; } = new() { { "reads", "HT7004" }, { "registry", "HT7004" }, { "antivirus", "HT7003" }, { "outranked", "HT7001" } };

    [Theory]
    [MemberData(nameof(Cases))]
    public void The_report_is_the_same_after_writing_and_reading(string name, string rule)
    {
        Case @case = CaseOf(name);
        Case read = FactsFile.Read(new MemoryStream(Written(@case)));

        TriageResult result = Triage.Judge(read);

        Assert.Equal(rule, result.Verdict.Rule?.Id);
        Assert.Equal(Report(Triage.Judge(@case)).Replace(Folder.Replace(@"\", @"\\", StringComparison.Ordinal), "", StringComparison.Ordinal), Report(result));
        Assert.Equal(Encoding.UTF8.GetString(Written(@case)), Encoding.UTF8.GetString(Written(read)));
    }

    /// <summary>Other processes of the machine, and folders, which can name a user, are nobody's business.</summary>
    [Fact]
    public void Only_the_judged_process_is_stored_and_no_folder()
    {
        string json = Encoding.UTF8.GetString(Written(CaseOf("antivirus")));
        JsonNode facts = JsonNode.Parse(json)!["trace"]!["facts"]!;

        Assert.Equal(AntivirusTrace.Git, (uint)Assert.Single(facts["processes"]!.AsArray())!["pid"]!);
        Assert.All(facts["threads"]!.AsArray(), thread => Assert.Equal(AntivirusTrace.Git, (uint)thread!["pid"]!["value"]!));
        Assert.DoesNotContain("HarddiskVolume", Encoding.UTF8.GetString(Written(CaseOf("reads"))), StringComparison.Ordinal);
    }

    [Fact]
    public void A_trace_of_another_process_is_not_stored()
    {
        Case @case = CaseOf("reads");
        ProcessSnapshot other = @case.Last with { Target = @case.Last.Target with { Pid = Known.Read(TinyReadsTrace.Broker + 1) } };

        Assert.DoesNotContain("\"trace\"", Encoding.UTF8.GetString(Written(Case.Of(other).With("slow.etl", @case.Trace!.Facts))), StringComparison.Ordinal);
    }

    /// <summary>Whoever writes a facts file can leave out or spoil every part of it.</summary>
    [Fact]
    public void A_null_anywhere_in_the_trace_is_one_line_and_no_crash()
    {
        string json = Encoding.UTF8.GetString(Written(CaseOf("outranked")));
        string[] places = [.. Places(JsonNode.Parse(json)!["trace"]!, "trace")];
        Assert.True(places.Length > 100);
        foreach (string place in places)
        {
            JsonNode spoiled = JsonNode.Parse(json)!;
            Spoil(spoiled, place.Split('/'));
            try
            {
                Triage.Judge(FactsFile.Read(new MemoryStream(Encoding.UTF8.GetBytes(spoiled.ToJsonString()))));
            }
            catch (InvalidDataException e)
            {
                Assert.DoesNotContain('\n', e.Message);
            }
        }
    }

    private static Case CaseOf(string name) => name switch
    {
        "reads" => Of(TinyReadsTrace.Broker, TinyReadsTrace.Thread, "broker.exe", StormTraces.Reads, 0.3, "ntdll!NtReadFile", "KERNELBASE!ReadFile", "broker!next_entry"),
        "registry" => Of(RegistryTrace.Process, RegistryTrace.Thread, "menu.exe", StormTraces.Registry, 20, "ntdll!NtQueryValueKey", "menu!load"),
        "antivirus" => Of(AntivirusTrace.Git, AntivirusTrace.GitThread, "git.exe", EtlFile.Read(AntivirusTrace.Build()), 2, "ntdll!NtCreateUserProcess", "git!start_command"),
        _ => Of(OutrankedTrace.App, OutrankedTrace.Waiter, "LockApp.exe", EtlFile.Read(OutrankedTrace.Build()), 40, "win32u!NtUserGetMessage", "LockApp!Main"),
    };

    private static Case Of(uint pid, uint tid, string name, TraceFacts facts, double seconds, params string[] frames)
        => TracedCase.Of(SnapshotBuilder.Windows().Pid(pid).Thread(tid, frames).Build(), name, facts, TimeSpan.FromSeconds(seconds));

    private static IEnumerable<string> Places(JsonNode node, string path) => node switch
    {
        JsonObject fields => fields.Where(field => field.Value is not null).SelectMany(field => Places(field.Value!, $"{path}/{field.Key}").Prepend($"{path}/{field.Key}")),
        JsonArray items => items.Take(2).SelectMany((item, index) => Places(item!, $"{path}/{index}").Prepend($"{path}/{index}")),
        _ => [],
    };

    private static void Spoil(JsonNode root, string[] place)
    {
        JsonNode parent = place[..^1].Aggregate(root, (node, part) => node is JsonArray items ? items[int.Parse(part, null)]! : node[part]!);
        if (parent is JsonArray list)
        {
            list[int.Parse(place[^1], null)] = null;
        }
        else
        {
            parent[place[^1]] = null;
        }
    }

    private static byte[] Written(Case @case)
    {
        using MemoryStream output = new();
        FactsFile.Write(@case, output);
        return output.ToArray();
    }

    private static string Report(TriageResult result)
    {
        using StringWriter text = new();
        JsonReport.Write(result, text, new JsonReportOptions("0.0.0", new Dictionary<string, TimeSpan>()));
        return text.ToString();
    }
}
