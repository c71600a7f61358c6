using System.Text.Json.Nodes;

namespace HangTriage.Tests.Lab;

/// <summary>A cycle of which one half is in the runtime's records, and the other in the memory of Windows.</summary>
public sealed class CrossedLocksTests
{
    [Fact]
    public void A_cycle_through_a_monitor_and_a_critical_section_is_one_deadlock()
    {
        JsonObject verdict = CommandLineReports.Of("CrossedLocks")["verdict"]!.AsObject();

        Assert.Equal(("Deadlock", "HT3004"), ((string)verdict["kind"]!, (string)verdict["rule"]!));
        string[] chain = [.. verdict["chain"]!.AsArray().Select(link => $"{Name(link!["from"]!)} > {Name(link["to"]!)}")];
        Assert.Equal(
            ["callback > monitor", "criticalSection > callback", "monitor > refresh", "refresh > criticalSection"],
            chain.Order(StringComparer.Ordinal));
        Assert.Contains(verdict["victims"]!.AsArray(), victim => Name(victim!) == "reader");
    }

    // The name of a thread as its label has it in quotes, or the kind of a lock.
    private static string Name(JsonNode party)
        => party["lock"] is { } found ? (string)found["kind"]! : ((string)party["label"]!).Split('"')[1];
}
