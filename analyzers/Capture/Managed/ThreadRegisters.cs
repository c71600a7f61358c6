using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>Where a thread stands.</summary>
/// <param name="Ip">Its instruction.</param>
/// <param name="Sp">Its stack pointer.</param>
internal readonly record struct ThreadRegisters(ulong Ip, ulong Sp)
{
    public static bool AreRead(Architecture architecture) => architecture is Architecture.X64 or Architecture.Arm64;

    /// <summary>By CONTEXT of winnt.h, in which the readers of every system give registers; null where they are not in the input.</summary>
    public static ThreadRegisters? Of(IDataReader reader, uint thread)
    {
        (int size, int ip, int sp) = reader.Architecture switch
        {
            Architecture.X64 => (1232, 0xF8, 0x98),
            Architecture.Arm64 => (912, 0x108, 0x100),
            _ => (0, 0, 0),
        };
        byte[] context = new byte[size];
        return size != 0 && reader.GetThreadContext(thread, 0, context)
            ? new ThreadRegisters(BitConverter.ToUInt64(context, ip), BitConverter.ToUInt64(context, sp))
            : null;
    }
}
