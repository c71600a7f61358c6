using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Outside;

/// <summary>
/// Finds the connection that somebody serves: what his variables lead to by a few steps, through objects of the program and through streams,
/// readers and clients of .NET, and not through lists, which have those of others.
/// </summary>
internal static class AcceptedSockets
{
    private const int Most = 128;
    private const int Deepest = 3;
    private const int MostFields = 32;

    private static readonly string[] s_wrappers = ["System.IO.", "System.Net.Sockets.", "System.Net.Security."];

    /// <param name="heap">The heap.</param>
    /// <param name="variables">The objects.</param>
    /// <returns>Where the process accepted it; null where none is found.</returns>
    public static string? AddressIn(ClrHeap heap, IEnumerable<ulong> variables)
    {
        HashSet<ulong> seen = [];
        Queue<(ulong Address, int Depth)> open = new(variables.Where(seen.Add).Select(address => (address, 0)));
        for (int count = 0; count < Most && open.TryDequeue(out (ulong Address, int Depth) at); count++)
        {
            ClrObject found = heap.GetObject(at.Address);
            ClrObject socket = SocketReader.In(found);
            if (!socket.IsNull)
            {
                if (SocketReader.AcceptedAt(socket) is { } address && address.TryGet(out string? text))
                {
                    return text;
                }
            }
            else if (at.Depth < Deepest && IsFollowed(found))
            {
                foreach (ulong next in Fields(found).Where(seen.Add))
                {
                    open.Enqueue((next, at.Depth + 1));
                }
            }
        }

        return null;
    }

    private static bool IsFollowed(ClrObject found)
        => found.Type is { IsArray: false, IsString: false, Name: { } name } && !found.IsDelegate
            && (!Frameworks.IsOwn(name) || Array.Exists(s_wrappers, start => name.StartsWith(start, StringComparison.Ordinal)));

    private static IEnumerable<ulong> Fields(ClrObject found)
        => found.Type!.Fields.Where(field => field.IsObjectReference).Take(MostFields)
            .Select(field => field.ReadObject(found.Address, interior: false).Address)
            .Where(address => address != 0);
}
