using System.Globalization;
using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>An operating-system thread id; written as "0x" and lower-case hex digits.</summary>
[JsonConverter(typeof(ThreadIdJsonConverter))]
public readonly record struct ThreadId(uint Value) : IComparable<ThreadId>
{
    public int CompareTo(ThreadId other) => Value.CompareTo(other.Value);

    public static bool operator <(ThreadId left, ThreadId right) => left.Value < right.Value;

    public static bool operator >(ThreadId left, ThreadId right) => left.Value > right.Value;

    public static bool operator <=(ThreadId left, ThreadId right) => left.Value <= right.Value;

    public static bool operator >=(ThreadId left, ThreadId right) => left.Value >= right.Value;

    public override string ToString() => "0x" + Value.ToString("x", CultureInfo.InvariantCulture);
}
