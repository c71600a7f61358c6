using System.Text.Json;
using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>Writes a known value as {"value", "trust"} and a gap as {"gap": {"what", "why"}}.</summary>
internal sealed class KnownJsonConverterFactory : JsonConverterFactory
{
    public override bool CanConvert(Type typeToConvert)
        => typeToConvert.IsGenericType && typeToConvert.GetGenericTypeDefinition() == typeof(Known<>);

    public override JsonConverter CreateConverter(Type typeToConvert, JsonSerializerOptions options)
        => (JsonConverter)Activator.CreateInstance(
            typeof(KnownJsonConverter<>).MakeGenericType(typeToConvert.GetGenericArguments()))!;
}
