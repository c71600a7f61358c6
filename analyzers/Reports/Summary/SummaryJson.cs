using System.Text;
using System.Text.Json;

namespace HangTriage.Reports.Summary;

/// <summary>A summary for scripts: ASCII, one object that ends in LF. What is not known is absent.</summary>
public static class SummaryJson
{
    private const int Schema = 1;

    public static void Write(SummaryTable table, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(table);
        ArgumentNullException.ThrowIfNull(output);
        using MemoryStream bytes = new();
        using (Utf8JsonWriter json = new(bytes, new JsonWriterOptions { Indented = true }))
        {
            json.WriteStartObject();
            json.WriteNumber("schema", Schema);
            json.WriteNumber("reports", table.Reports);
            json.WriteNumber("bad", table.Bad);
            json.WriteNumber("ungrouped", table.Ungrouped);
            json.WriteStartArray("groups");
            foreach (SummaryGroup group in table.Groups())
            {
                Write(json, group);
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        output.Write(Encoding.UTF8.GetString(bytes.GetBuffer(), 0, (int)bytes.Length).ReplaceLineEndings("\n"));
        output.Write('\n');
    }

    private static void Write(Utf8JsonWriter json, SummaryGroup group)
    {
        ReportDigest report = group.Representative;
        json.WriteStartObject();
        json.WriteString("signature", report.Signature);
        json.WriteString("signatureHash", group.Hash);
        Write(json, "signatureFrames", report.Frames);
        json.WriteString("kind", report.Kind);
        Optional(json, "rule", report.Rule);
        json.WriteNumber("count", group.Count);
        Optional(json, "firstSeen", group.FirstSeen?.ToString("O"));
        Optional(json, "lastSeen", group.LastSeen?.ToString("O"));
        Write(json, "runtimes", group.Versions);
        Write(json, "processes", group.Processes);
        json.WriteStartObject("representative");
        json.WriteString("place", report.Place);
        json.WriteString("title", report.Title);
        Optional(json, "confidence", report.Confidence);
        Optional(json, "tool", report.Tool);
        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, string name, IEnumerable<string> texts)
    {
        json.WriteStartArray(name);
        foreach (string text in texts)
        {
            json.WriteStringValue(text);
        }

        json.WriteEndArray();
    }

    private static void Optional(Utf8JsonWriter json, string name, string? text)
    {
        if (text is not null)
        {
            json.WriteString(name, text);
        }
    }
}
