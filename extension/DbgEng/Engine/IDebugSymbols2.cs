using System.Runtime.InteropServices;
using System.Runtime.InteropServices.Marshalling;

namespace HangTriage.DbgEng.Engine;

/// <summary>Modules of the target. Methods without parameters here hold the place of ones that are not called.</summary>
[GeneratedComInterface]
[Guid("3a707211-afdd-4495-ad4f-56fecdf8163f")]
internal unsafe partial interface IDebugSymbols2
{
    void GetSymbolOptions();
    void AddSymbolOptions();
    void RemoveSymbolOptions();
    void SetSymbolOptions();

    /// <summary>As "module!function". Sizes count the terminating zero; S_FALSE where the name was cut.</summary>
    [PreserveSig]
    int GetNameByOffset(ulong offset, byte* name, uint nameSize, uint* nameUsed, out ulong displacement);

    void GetOffsetByName();
    void GetNearNameByOffset();
    void GetLineByOffset();
    void GetOffsetByLine();

    [PreserveSig]
    int GetNumberModules(out uint loaded, out uint unloaded);

    void GetModuleByIndex();
    void GetModuleByModuleName();

    [PreserveSig]
    int GetModuleByOffset(ulong offset, uint start, out uint index, out ulong moduleBase);

    /// <summary>Sizes count the terminating zero.</summary>
    [PreserveSig]
    int GetModuleNames(uint index, ulong moduleBase, byte* image, uint imageSize, out uint imageUsed, byte* module, uint moduleSize, uint* moduleUsed, byte* loaded, uint loadedSize, uint* loadedUsed);

    [PreserveSig]
    int GetModuleParameters(uint count, ulong* bases, uint start, DebugModuleParameters* parameters);

    void GetSymbolModule();
    void GetTypeName();
    void GetTypeId();
    void GetTypeSize();
    void GetFieldOffset();
    void GetSymbolTypeId();
    void GetOffsetTypeId();
    void ReadTypedDataVirtual();
    void WriteTypedDataVirtual();
    void OutputTypedDataVirtual();
    void ReadTypedDataPhysical();
    void WriteTypedDataPhysical();
    void OutputTypedDataPhysical();
    void GetScope();
    void SetScope();
    void ResetScope();
    void GetScopeSymbolGroup();
    void CreateSymbolGroup();
    void StartSymbolMatch();
    void GetNextSymbolMatch();
    void EndSymbolMatch();
    void Reload();
    void GetSymbolPath();
    void SetSymbolPath();
    void AppendSymbolPath();
    void GetImagePath();
    void SetImagePath();
    void AppendImagePath();
    void GetSourcePath();
    void GetSourcePathElement();
    void SetSourcePath();
    void AppendSourcePath();
    void FindSourceFile();
    void GetSourceFileLineOffsets();

    /// <summary>The item "\\" is the fixed file information.</summary>
    [PreserveSig]
    int GetModuleVersionInformation(uint index, ulong moduleBase, byte* item, void* buffer, uint size, uint* used);
}
