using System.Net;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Outside;

/// <summary>
/// Reads addresses of the internet from System.Net.IPEndPoint, and paths of sockets of this machine, which named pipes are on Unix, from
/// System.Net.Sockets.UnixDomainSocketEndPoint.
/// </summary>
internal static class EndPointReader
{
    private const string Unix = "System.Net.Sockets.UnixDomainSocketEndPoint";
    private const int MostPath = 256;
    private const string What = "address of the other side";
    private const int NumbersOfIPv6 = 8;

    public static bool IsEndPoint(ClrObject found) => found.Type?.Name == "System.Net.IPEndPoint";

    /// <summary>
    /// As "10.0.0.7:5432", "[::1]:80" or "unix:/tmp/orders". A name of a host, which other kinds of end point have, stays where it is. Null
    /// for no object, and for the end of a path that has no name.
    /// </summary>
    public static Known<string>? Read(ClrObject endPoint)
        => endPoint.IsNull ? null
            : endPoint.Type?.Name == Unix
                ? endPoint.Reference("_path") is { IsNull: false } path && path.AsString(MostPath) is { Length: > 0 } text
                    ? Known.Read(SocketFacts.Unix + text) : null
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
