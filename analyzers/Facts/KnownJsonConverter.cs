using System.Text.Json;
using System.Text.Json.Serialization;

namespace HangTriage.Facts;

internal sealed class KnownJsonConverter<T> : JsonConverter<Known<T>>
    where T : notnull
{
    public override Known<T> Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        using JsonDocument document = JsonDocument.ParseValue(ref reader);
        JsonElement root = document.RootElement;
        if (root.ValueKind != JsonValueKind.Object)
        {
            throw new JsonException("A known value is an object with \"value\" and \"trust\", or with \"gap\".");
        }

        if (root.TryGetProperty("gap", out JsonElement gap))
        {
            return gap.Deserialize<Gap>(options) is { What: not null, Why: not null } why
                ? Known<T>.Unknown(why)
                : throw new JsonException("A gap has \"what\" and \"why\".");
        }

        T value = root.TryGetProperty("value", out JsonElement element) && element.Deserialize<T>(options) is { } read
            ? read
            : throw new JsonException("A known value has \"value\" or \"gap\".");
        Trust trust = root.TryGetProperty("trust", out JsonElement trustElement)
            ? trustElement.Deserialize<Trust>(options)
            : throw new JsonException("A known value has \"trust\".");
        return Known<T>.Of(value, trust);
    }

    public override void Write(Utf8JsonWriter writer, Known<T> value, JsonSerializerOptions options)
    {
        writer.WriteStartObject();
        if (value.TryGet(out T? known))
        {
            writer.WritePropertyName("value");
            JsonSerializer.Serialize(writer, known, options);
            writer.WritePropertyName("trust");
            JsonSerializer.Serialize(writer, value.Trust, options);
        }
        else
        {
            writer.WritePropertyName("gap");
            JsonSerializer.Serialize(writer, value.Gap!, options);
        }

        writer.WriteEndObject();
    }
}
