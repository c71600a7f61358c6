using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>The value of a key, to be found again in other objects.</summary>
/// <param name="Type">Its type's name.</param>
/// <param name="Value">
/// A text's content, the bytes of a number or structure in hexadecimal digits, or the address of any other object.
/// </param>
/// <param name="IsNumber">It is the bytes of a number or structure, the lowest first.</param>
internal readonly record struct KeyValue(string Type, string Value, bool IsNumber = false)
{
    private const int MostText = 512;
    private const int MostBytes = 32;

    /// <summary>Null for what no other object would be found by: null, and structures that are large or have objects in them.</summary>
    /// <param name="reader">The memory.</param>
    /// <param name="field">The field that has the value.</param>
    /// <param name="holder">Where its object is, or its structure.</param>
    /// <param name="isInside">It is a structure's.</param>
    public static KeyValue? Of(IDataReader reader, ClrInstanceField field, ulong holder, bool isInside)
    {
        if (field.IsObjectReference)
        {
            return Of(field.ReadObject(holder, isInside));
        }

        if (field.Size is <= 0 or > MostBytes || (field.IsValueType && field.Type is null or { ContainsPointers: true }))
        {
            return null;
        }

        Span<byte> bytes = stackalloc byte[field.Size];
        return reader.Read(field.GetAddress(holder, isInside), bytes) == bytes.Length
            ? new KeyValue(field.Type?.Name ?? field.ElementType.ToString(), Convert.ToHexString(bytes), IsNumber: true)
            : null;
    }

    public static KeyValue? Of(ClrObject value)
        => value.Type is not { Name: { } name } ? null
            : value.Type.IsString ? value.AsString(MostText) is { Length: > 0 } text ? new KeyValue(name, text) : null
            : new KeyValue(name, value.Address.ToString("x", System.Globalization.CultureInfo.InvariantCulture));
}
