using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace HangTriage.Tests.Unit.Reports;

/// <summary>
/// The verdict of a JSON report without its sentences, which stand in the text: what is left changes where the judgement does.
/// </summary>
internal static class WordlessVerdict
{
    private static readonly string[] s_words = ["title", "confidenceReason", "label", "role", "edge", "claim", "source", "gaps", "advice"];

    private static readonly JsonSerializerOptions s_plain = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>One line for each property, and for each item of a list.</summary>
    public static string Of(string report)
    {
        JsonObject verdict = JsonNode.Parse(report)!["verdict"]!.AsObject();
        RemoveWords(verdict);
        StringBuilder lines = new();
        foreach ((string name, JsonNode? value) in verdict)
        {
            lines.Append(lines.Length == 0 ? "{\n" : ",\n").Append("  \"").Append(name).Append("\": ").Append(Lines(value));
        }

        return lines.Append("\n}\n").ToString();
    }

    private static string Lines(JsonNode? value)
        => value is JsonArray { Count: > 0 } items
            ? $"[\n{string.Join(",\n", items.Select(item => $"    {item!.ToJsonString(s_plain)}"))}\n  ]"
            : value!.ToJsonString(s_plain);

    private static void RemoveWords(JsonNode? node)
    {
        if (node is JsonArray items)
        {
            foreach (JsonNode? item in items)
            {
                RemoveWords(item);
            }
        }
        else if (node is JsonObject record)
        {
            foreach (string word in s_words)
            {
                record.Remove(word);
            }

            foreach ((_, JsonNode? value) in record)
            {
                RemoveWords(value);
            }
        }
    }
}
