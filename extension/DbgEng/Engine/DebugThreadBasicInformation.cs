using System.Runtime.InteropServices;

namespace HangTriage.DbgEng.Engine;

/// <summary>DEBUG_THREAD_BASIC_INFORMATION. Times are in units of 100 ns; CreateTime counts from 1601.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct DebugThreadBasicInformation
{
    public const uint HasTimes = 0x8;
    public const uint HasStartOffset = 0x10;

    public uint Valid;
    public uint ExitStatus;
    public uint PriorityClass;
    public uint Priority;
    public ulong CreateTime;
    public ulong ExitTime;
    public ulong KernelTime;
    public ulong UserTime;
    public ulong StartOffset;
    public ulong Affinity;
}
