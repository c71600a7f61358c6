using System.Text.Json;
using System.Text.Json.Serialization;

namespace HangTriage.Facts;

internal sealed class AddressJsonConverter : JsonConverter<Address>
{
    public override Address Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        => new(HexNumber.Read(ref reader, ulong.MaxValue));

    public override void Write(Utf8JsonWriter writer, Address value, JsonSerializerOptions options)
        => writer.WriteStringValue(value.ToString());
}
