using System.Text.Json;

namespace HangTriage.Reports.Summary;

/// <summary>
/// Reads of a JSON report what a summary needs, and passes by all the rest, which is nearly all of it. Anybody can have written
/// the report: it is checked, and its texts are cut.
/// </summary>
public static class DigestReader
{
    private const int LongestText = 512;
    private const int LongestSignature = 64 * 1024;
    private const int MostItems = 8;
    private const int Schema = 1;

    /// <summary>Null where it is no report; then the reason says why.</summary>
    public static ReportDigest? Read(ReadOnlySpan<byte> json, out string? whyNot)
    {
        try
        {
            DigestFields fields = new();
            Utf8JsonReader reader = new(json);
            if (!reader.Read() || reader.TokenType != JsonTokenType.StartObject)
            {
                whyNot = "it is no JSON object";
                return null;
            }

            ReadObject(ref reader, fields, string.Empty);
            if (reader.Read())
            {
                whyNot = "something stands behind the report";
                return null;
            }

            whyNot = fields.Schema != Schema ? "it is no report of this tool"
                : fields.Signature is null || fields.Kind is null ? "it has no verdict"
                : null;
            return whyNot is null ? fields.ToDigest() : null;
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            whyNot = json.IsEmpty ? "it is empty" : "it is no complete JSON";
            return null;
        }
    }

    private static void ReadObject(ref Utf8JsonReader reader, DigestFields fields, string path)
    {
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            string name = $"{path}/{Text(ref reader, LongestText)}";
            reader.Read();
            switch (name)
            {
                case "/verdict" or "/target" or "/tool" when reader.TokenType == JsonTokenType.StartObject:
                    ReadObject(ref reader, fields, name);
                    break;
                case "/target/runtimes" when reader.TokenType == JsonTokenType.StartArray:
                    ReadRuntimes(ref reader, fields);
                    break;
                case "/verdict/signatureFrames" when reader.TokenType == JsonTokenType.StartArray:
                    ReadFrames(ref reader, fields);
                    break;
                case "/schema" when reader.TokenType == JsonTokenType.Number:
                    fields.Schema = reader.TryGetInt32(out int schema) ? schema : 0;
                    break;
                case string when reader.TokenType == JsonTokenType.String && DigestFields.Has(name):
                    fields.Set(name, Text(ref reader, name == DigestFields.SignaturePath ? LongestSignature : LongestText));
                    break;
                default:
                    reader.Skip();
                    break;
            }
        }
    }

    private static void ReadFrames(ref Utf8JsonReader reader, DigestFields fields)
    {
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            if (reader.TokenType == JsonTokenType.String && fields.Frames.Count < MostItems)
            {
                fields.Frames.Add(Text(ref reader, LongestText));
            }
            else
            {
                reader.Skip();
            }
        }
    }

    private static void ReadRuntimes(ref Utf8JsonReader reader, DigestFields fields)
    {
        while (reader.Read() && reader.TokenType == JsonTokenType.StartObject)
        {
            string flavor = string.Empty;
            string version = string.Empty;
            while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
            {
                string name = Text(ref reader, LongestText);
                reader.Read();
                if (reader.TokenType != JsonTokenType.String)
                {
                    reader.Skip();
                }
                else if (name == "flavor")
                {
                    flavor = Text(ref reader, LongestText);
                }
                else if (name == "version")
                {
                    version = Text(ref reader, LongestText);
                }
            }

            if (fields.Runtimes.Count < MostItems)
            {
                fields.Runtimes.Add($"{flavor} {version}".Trim());
            }
        }
    }

    // A text that is cut off differs from any other at its end.
    private static string Text(ref Utf8JsonReader reader, int longest)
    {
        string text = reader.GetString() ?? string.Empty;
        return text.Length <= longest ? text : Shorten.To(text, longest);
    }
}
