using System.Globalization;
using System.Text.Json;

namespace HangTriage.Facts;

internal static class HexNumber
{
    /// <exception cref="JsonException">The text is not "0x" and hex digits within the limit.</exception>
    public static ulong Read(ref Utf8JsonReader reader, ulong limit)
    {
        string? text = reader.TokenType == JsonTokenType.String ? reader.GetString() : null;
        return text is not null
            && text.StartsWith("0x", StringComparison.Ordinal)
            && ulong.TryParse(text.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong value)
            && value <= limit
                ? value
                : throw new JsonException("An address or id is a string of \"0x\" and hex digits.");
    }
}
