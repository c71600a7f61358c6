using System.Runtime.InteropServices;
using System.Runtime.InteropServices.Marshalling;

namespace HangTriage.DbgEng.Engine;

/// <summary>Threads and processes of the target. Methods without parameters here hold the place of ones that are not called.</summary>
[GeneratedComInterface]
[Guid("0ae9f5ff-1852-4679-b055-494bee6407ee")]
internal unsafe partial interface IDebugSystemObjects2
{
    void GetEventThread();
    void GetEventProcess();

    /// <summary>The engine's own number of the thread, not the system's id.</summary>
    [PreserveSig]
    int GetCurrentThreadId(out uint id);

    [PreserveSig]
    int SetCurrentThreadId(uint id);

    void GetCurrentProcessId();
    void SetCurrentProcessId();

    [PreserveSig]
    int GetNumberThreads(out uint number);

    void GetTotalNumberThreads();

    [PreserveSig]
    int GetThreadIdsByIndex(uint start, uint count, uint* ids, uint* systemIds);

    void GetThreadIdByProcessor();
    void GetCurrentThreadDataOffset();
    void GetThreadIdByDataOffset();

    [PreserveSig]
    int GetCurrentThreadTeb(out ulong offset);

    void GetThreadIdByTeb();
    void GetCurrentThreadSystemId();
    void GetThreadIdBySystemId();
    void GetCurrentThreadHandle();
    void GetThreadIdByHandle();
    void GetNumberProcesses();
    void GetProcessIdsByIndex();
    void GetCurrentProcessDataOffset();
    void GetProcessIdByDataOffset();
    void GetCurrentProcessPeb();
    void GetProcessIdByPeb();

    [PreserveSig]
    int GetCurrentProcessSystemId(out uint id);

    void GetProcessIdBySystemId();
    void GetCurrentProcessHandle();
    void GetProcessIdByHandle();
    void GetCurrentProcessExecutableName();

    [PreserveSig]
    int GetCurrentProcessUpTime(out uint seconds);
}
