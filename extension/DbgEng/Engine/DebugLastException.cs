using System.Runtime.InteropServices;

namespace HangTriage.DbgEng.Engine;

/// <summary>DEBUG_LAST_EVENT_INFO_EXCEPTION, of which the code and the chance are read.</summary>
[StructLayout(LayoutKind.Explicit, Size = 160)]
internal struct DebugLastException
{
    /// <summary>DEBUG_EVENT_EXCEPTION.</summary>
    public const uint Event = 2;

    [FieldOffset(0)]
    public uint Code;

    /// <summary>Behind the EXCEPTION_RECORD64: not 0 where the process may still handle it.</summary>
    [FieldOffset(152)]
    public uint FirstChance;
}
