using System.Runtime.InteropServices;
using System.Runtime.InteropServices.Marshalling;

namespace HangTriage.DbgEng.Engine;

/// <summary>Registers and details of threads. Methods without parameters here hold the place of ones that are not called.</summary>
[GeneratedComInterface]
[Guid("716d14c9-119b-4ba5-af1f-0890e672416a")]
internal unsafe partial interface IDebugAdvanced2
{
    /// <summary>The current thread's CONTEXT record.</summary>
    [PreserveSig]
    int GetThreadContext(byte* context, uint size);

    void SetThreadContext();

    /// <param name="request">A DEBUG_REQUEST_ value.</param>
    [PreserveSig]
    int Request(uint request, void* input, uint inputSize, void* output, uint outputSize, uint* outputUsed);

    void GetSourceFileInformation();
    void FindSourceFileAndToken();
    void GetSymbolInformation();

    [PreserveSig]
    int GetSystemObjectInformation(uint which, ulong arg64, uint arg32, void* buffer, uint size, out uint used);
}
