using System.Runtime.InteropServices;
using System.Runtime.InteropServices.Marshalling;

namespace HangTriage.DbgEng.Engine;

/// <summary>Memory of the target. Methods without parameters here hold the place of ones that are not called.</summary>
[GeneratedComInterface]
[Guid("88f7dfab-3ea7-4c3a-aefb-c4e8106173aa")]
internal unsafe partial interface IDebugDataSpaces
{
    [PreserveSig]
    int ReadVirtual(ulong offset, byte* buffer, uint size, out uint read);
}
