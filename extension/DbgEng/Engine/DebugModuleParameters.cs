using System.Runtime.InteropServices;

namespace HangTriage.DbgEng.Engine;

/// <summary>DEBUG_MODULE_PARAMETERS.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct DebugModuleParameters
{
    /// <summary>DEBUG_SYMTYPE_NONE, _EXPORT and _DEFERRED; the others are symbols that name every function.</summary>
    public const uint None = 0;
    public const uint Exports = 4;
    public const uint NotLoadedYet = 5;

    public ulong Base;
    public uint Size;
    public uint TimeDateStamp;
    public uint Checksum;
    public uint Flags;
    public uint SymbolType;
    public uint ImageNameSize;
    public uint ModuleNameSize;
    public uint LoadedImageNameSize;
    public uint SymbolFileNameSize;
    public uint MappedImageNameSize;
    public fixed ulong Reserved[2];
}
