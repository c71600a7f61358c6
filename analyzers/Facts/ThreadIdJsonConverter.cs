using System.Text.Json;
using System.Text.Json.Serialization;

namespace HangTriage.Facts;

internal sealed class ThreadIdJsonConverter : JsonConverter<ThreadId>
{
    public override ThreadId Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        => new((uint)HexNumber.Read(ref reader, uint.MaxValue));

    public override void Write(Utf8JsonWriter writer, ThreadId value, JsonSerializerOptions options)
        => writer.WriteStringValue(value.ToString());
}
