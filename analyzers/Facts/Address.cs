using System.Globalization;
using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>An address in the target, zero-extended to 64 bits; written as "0x" and lower-case hex digits.</summary>
[JsonConverter(typeof(AddressJsonConverter))]
public readonly record struct Address(ulong Value) : IComparable<Address>
{
    public int CompareTo(Address other) => Value.CompareTo(other.Value);

    public static bool operator <(Address left, Address right) => left.Value < right.Value;

    public static bool operator >(Address left, Address right) => left.Value > right.Value;

    public static bool operator <=(Address left, Address right) => left.Value <= right.Value;

    public static bool operator >=(Address left, Address right) => left.Value >= right.Value;

    public override string ToString() => "0x" + Value.ToString("x", CultureInfo.InvariantCulture);
}
