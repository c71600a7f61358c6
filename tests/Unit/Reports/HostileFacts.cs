using System.Text.Json.Nodes;
using HangTriage.Facts;

namespace HangTriage.Tests.Unit.Reports;

/// <summary>The facts of a stored sample in which every name that a stranger chose ends in a hostile text.</summary>
internal static class HostileFacts
{
    private static readonly string[] s_names =
    [
        "name", "processName", "type", "label", "field", "contextType", "file", "what", "why", "via", "waitChannel",
    ];

    private static readonly string[] s_systems = ["System.", "Microsoft.", "Interop"];

    public static Case Of(string sample, string hostile)
    {
        using Stream stored = StoredSamples.Unpacked(sample);
        JsonNode facts = JsonNode.Parse(stored)!;
        Put(facts, string.Empty, hostile);
        using MemoryStream changed = new(System.Text.Encoding.UTF8.GetBytes(facts.ToJsonString()));
        return FactsFile.Read(changed);
    }

    private static void Put(JsonNode? node, string within, string hostile)
    {
        if (node is JsonArray items)
        {
            foreach (JsonNode? item in items)
            {
                Put(item, within, hostile);
            }
        }
        else if (node is JsonObject record)
        {
            foreach ((string name, JsonNode? value) in record.ToArray())
            {
                string known = name == "value" ? within : name;
                if (value is JsonValue text && text.TryGetValue(out string? old) && IsChosen(known, old))
                {
                    record[name] = old + hostile;
                }
                else
                {
                    Put(value, known, hostile);
                }
            }
        }
    }

    // What the rules know the runtime by stays, so that the verdict is the sample's.
    private static bool IsChosen(string name, string value)
        => s_names.Contains(name) || (name == "method" && !s_systems.Any(system => value.StartsWith(system, StringComparison.Ordinal)));
}
