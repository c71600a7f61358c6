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
        (int ip, int sp) = reader.Architecture == Architecture.X64 ? (ContextX64.Rip, 0x98) : (0x108, 0x100);
        return ContextOf(reader, thread) is { } context
            ? new ThreadRegisters(BitConverter.ToUInt64(context, ip), BitConverter.ToUInt64(context, sp))
            : null;
    }

    /// <summary>All registers, as CONTEXT has them; null where they are not in the input, and for other processors.</summary>
    public static byte[]? ContextOf(IDataReader reader, uint thread)
    {
        byte[] context = new byte[reader.Architecture switch { Architecture.X64 => ContextX64.Size, Architecture.Arm64 => 912, _ => 0 }];
        return context.Length > 0 && reader.GetThreadContext(thread, 0, context) ? context : null;
    }
}
