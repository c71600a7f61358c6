using System.Net;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Outside;

/// <summary>Reads addresses of the internet from System.Net.IPEndPoint.</summary>
internal static class EndPointReader
{
    private const string What = "address of the other side";
    private const int NumbersOfIPv6 = 8;

    public static bool IsEndPoint(ClrObject found) => found.Type?.Name == "System.Net.IPEndPoint";

    /// <summary>As "10.0.0.7:5432" or "[::1]:80". A name of a host or a path, which other kinds of end point have, stays where it is. Null for no object.</summary>
    public static Known<string>? Read(ClrObject endPoint)
        => endPoint.IsNull ? null
            : !IsEndPoint(endPoint) ? Known.Unknown<string>(What, $"it is a {endPoint.Type?.Name ?? "?"}, whose text is not read")
            : AddressOf(endPoint.Reference("_address")) is { } address && endPoint.Number("_port") is { } port
                && port is >= IPEndPoint.MinPort and <= IPEndPoint.MaxPort ? Known.Read(new IPEndPoint(address, port).ToString())
            : Known.Unknown<string>(What, "the end point has other fields than those that are known");

    private static IPAddress? AddressOf(ClrObject address)
    {
        if (address.Number("_addressOrScopeId") is not { } number)
        {
            return null;
        }

        ClrObject numbers = address.Reference("_numbers");
        return numbers.IsNull ? new IPAddress(unchecked((uint)number)) : OfNumbers(numbers, unchecked((uint)number));
    }

    // Sockets for both families have their addresses of IPv4 within IPv6.
    private static IPAddress? OfNumbers(ClrObject numbers, uint scope)
    {
        if (!numbers.IsArray || numbers.AsArray().ReadValues<ushort>(0, NumbersOfIPv6) is not { Length: NumbersOfIPv6 } words)
        {
            return null;
        }

        IPAddress address = new([.. words.SelectMany(word => new[] { (byte)(word >> 8), (byte)word })], scope);
        return address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
    }
}
