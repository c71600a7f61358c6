using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Pool;

/// <summary>Reads fields of objects, and of structures in them.</summary>
internal static class Fields
{
    /// <param name="holder">The object.</param>
    /// <param name="path">The field; where it is a structure, the field in that, and so on.</param>
    public static Known<T> Read<T>(ClrObject holder, params ReadOnlySpan<string> path)
        where T : unmanaged
    {
        ClrType? type = holder.Type;
        ulong address = holder.Address;
        for (int depth = 0; depth < path.Length; depth++)
        {
            if (type?.GetFieldByName(path[depth]) is not { } field)
            {
                return Known.Unknown<T>(path[depth], $"{type?.Name ?? "the object"} has no such field");
            }

            address = field.GetAddress(address, interior: depth > 0);
            type = field.Type;
        }

        return holder.Type!.Heap.Runtime.DataTarget.DataReader.Read(address, out T value)
            ? Known.Read(value)
            : Known.Unknown<T>(path[^1], "it is not in the input");
    }
}
