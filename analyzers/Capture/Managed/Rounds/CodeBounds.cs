using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Rounds;

/// <summary>
/// Finds the bounds of code that was compiled while its method ran (on-stack replacement): the runtime tells the method's other code alone.
/// Before each piece of code stands a pointer to its header, which names the method and, for each of its functions and handlers,
/// where it begins and ends (RealCodeHeader of codeman.h, RUNTIME_FUNCTION).
/// </summary>
internal static class CodeBounds
{
    private const int MostCode = 64 << 10;
    private const int Alignment = 16;
    private const int PageSize = 4096;
    private const int HeaderWords = 6;
    private const uint MostFunctions = 1024;
    private const ulong FunctionBytes = 3 * sizeof(uint);

    /// <summary>A size of 0 where none is found.</summary>
    public static (ulong Start, uint Size) Of(ClrRuntime runtime, ClrMethod method, ulong ip)
    {
        IDataReader reader = runtime.DataTarget.DataReader;
        ulong first = (ip & ~(ulong)(Alignment - 1)) - MostCode;
        byte[] before = new byte[MostCode];
        Span<byte> header = stackalloc byte[HeaderWords * sizeof(ulong)];
        int missing = 0;
        while (missing < MostCode && reader.Read(first + (ulong)missing, before.AsSpan(missing)) != MostCode - missing)
        {
            missing += PageSize;
        }

        for (int at = MostCode - sizeof(ulong); at >= missing; at -= Alignment)
        {
            ulong pointer = MemoryMarshal.Read<ulong>(before.AsSpan(at));
            if (pointer > MostCode && pointer % sizeof(ulong) == 0 && reader.Read(pointer, header) == header.Length
                && MemoryMarshal.Cast<byte, ulong>(header).IndexOf(method.MethodDesc) is >= 0 and var word)
            {
                ulong start = first + (ulong)at + sizeof(ulong);
                uint size = SizeOf(reader, pointer + ((ulong)(word + 1) * sizeof(ulong)));
                return ip - start < size ? (start, size) : default;
            }
        }

        return default;
    }

    // How many functions there are, then begin, end and unwind data of each, as distances.
    private static uint SizeOf(IDataReader reader, ulong counted)
        => reader.Read(counted, out uint count) && count is > 0 and <= MostFunctions
            && reader.Read(counted + sizeof(uint), out uint begin)
            && reader.Read(counted + sizeof(uint) + ((count - 1) * FunctionBytes) + sizeof(uint), out uint end)
            && end > begin && end - begin <= MostCode
                ? end - begin
                : 0;
}
