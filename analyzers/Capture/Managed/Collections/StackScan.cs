using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Collections;

/// <summary>Finds the words of a stack that are addresses of objects: some are left over, and some are numbers that look like one.</summary>
internal static class StackScan
{
    // A frame that holds more has an array on the stack; its objects are elsewhere.
    private const int MostBytes = 64 << 10;

    /// <param name="runtime">The runtime whose objects they are.</param>
    /// <param name="start">The lowest address.</param>
    /// <param name="end">The address behind the highest.</param>
    public static IEnumerable<ClrObject> Objects(ClrRuntime runtime, ulong start, ulong end)
    {
        IDataReader reader = runtime.DataTarget.DataReader;
        if (end <= start || reader.PointerSize != sizeof(ulong))
        {
            yield break;
        }

        byte[] memory = new byte[(int)Math.Min(end - start, MostBytes)];
        int words = reader.Read(start, memory) / sizeof(ulong);
        for (int i = 0; i < words; i++)
        {
            ulong word = MemoryMarshal.Read<ulong>(memory.AsSpan(i * sizeof(ulong)));
            if (word % sizeof(ulong) == 0 && runtime.Heap.GetSegmentByAddress(word) is not null
                && runtime.Heap.GetObject(word) is { Type: not null, IsFree: false } found)
            {
                yield return found;
            }
        }
    }
}
