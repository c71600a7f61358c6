using System.Runtime.InteropServices;

namespace HangTriage.DbgEng.Engine;

/// <summary>DEBUG_MODULE_PARAMETERS.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct DebugModuleParameters
{
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
