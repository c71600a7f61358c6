using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Clock;

/// <summary>
/// The clocks of Windows, in the page that it shows to every process (KUSER_SHARED_DATA of ntddk.h); full dumps have that page.
/// </summary>
/// <param name="Ticks">GetTickCount64: the time since the system's start, with the time that it slept.</param>
/// <param name="Unbiased">QueryUnbiasedInterruptTime: the same without the time that it slept, on which .NET's timers count.</param>
internal sealed record SharedUserData(TimeSpan Ticks, TimeSpan Unbiased)
{
    private const ulong Page = 0x7FFE_0000;

    /// <summary>Null for another system, and where the page is not in the input.</summary>
    public static SharedUserData? Read(IDataReader reader)
        => reader.TargetPlatform == OSPlatform.Windows
            && reader.Read(Page + 0x04, out uint multiplier) && reader.Read(Page + 0x320, out ulong count)
            && reader.Read(Page + 0x08, out ulong interrupts) && reader.Read(Page + 0x3B0, out ulong bias)
            && multiplier != 0 && (UInt128)count * multiplier >> 24 is var ticks && ticks > 0
            && ticks < (UInt128)TimeSpan.MaxValue.TotalMilliseconds
            && interrupts > bias && interrupts - bias < (ulong)TimeSpan.MaxValue.Ticks
                ? new SharedUserData(TimeSpan.FromMilliseconds((ulong)ticks), TimeSpan.FromTicks((long)(interrupts - bias)))
                : null;
}
