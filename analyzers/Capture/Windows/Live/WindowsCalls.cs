using System.Runtime.InteropServices;

namespace HangTriage.Capture.Windows.Live;

/// <summary>The calls of Windows by which another process is listed, suspended and read (learn.microsoft.com, Win32 and winternl.h).</summary>
internal static unsafe partial class WindowsCalls
{
    public const uint VirtualMemoryRead = 0x0010;
    public const uint QueryProcess = 0x0400;
    public const uint SuspendAndResume = 0x0002;
    public const uint GetContext = 0x0008;
    public const uint QueryThread = 0x0040;
    public const uint SameAccess = 2;
    public const uint Failed = uint.MaxValue;
    public const uint StillActive = 259;
    public const uint SnapThreads = 4;
    public const uint ReadAndWrite = 4;
    public const uint MapWrite = 2;
    public const uint CreateSuspended = 4;
    public const int AccessDenied = 5;
    public const int InvalidParameter = 87;

    // THREADINFOCLASS of winternl.h and of the documentation of NtQueryInformationThread.
    public const int ThreadBasicInformation = 0;
    public const int ThreadStartAddress = 9;
    public const int ThreadSuspendCount = 35;

    [LibraryImport("kernel32", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial nint OpenProcess(uint access, int inherit, uint process);

    [LibraryImport("kernel32", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial nint OpenThread(uint access, int inherit, uint thread);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int CloseHandle(nint handle);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial nint GetCurrentProcess();

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial nint CreateThread(nint security, nuint stack, nint start, nint argument, uint flags, uint* id);

    /// <returns>How often it was suspended before; <see cref="Failed"/> where it cannot be.</returns>
    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial uint SuspendThread(nint thread);

    /// <returns>How often it was suspended before; <see cref="Failed"/> where it cannot be resumed.</returns>
    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial uint ResumeThread(nint thread);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int GetThreadContext(nint thread, byte* context);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int ReadProcessMemory(nint process, ulong address, byte* buffer, nuint size, nuint* read);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial nuint VirtualQueryEx(nint process, ulong address, MemoryInformation* information, nuint size);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int GetThreadTimes(nint thread, long* created, long* ended, long* kernel, long* user);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int GetProcessTimes(nint process, long* created, long* ended, long* kernel, long* user);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int GetThreadDescription(nint thread, char** description);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial nint LocalFree(nint memory);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int IsWow64Process(nint process, int* isWow64);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int GetExitCodeProcess(nint process, uint* code);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int GetProcessIoCounters(nint process, ulong* counters);

    [LibraryImport("kernel32", EntryPoint = "K32GetMappedFileNameW")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial uint GetMappedFileName(nint process, ulong address, char* name, uint characters);

    [LibraryImport("kernel32", EntryPoint = "QueryDosDeviceW")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial uint QueryDosDevice(char* drive, char* device, uint characters);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial nint CreateToolhelp32Snapshot(uint flags, uint process);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int Thread32First(nint snapshot, ThreadRecord* record);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int Thread32Next(nint snapshot, ThreadRecord* record);

    [LibraryImport("kernel32", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int DuplicateHandle(nint process, nint handle, nint otherProcess, nint* other, uint access, int inherit, uint options);

    [LibraryImport("kernel32", EntryPoint = "CreateFileMappingW", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial nint CreateFileMapping(nint file, nint security, uint protection, uint sizeHigh, uint sizeLow, char* name);

    [LibraryImport("kernel32", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial byte* MapViewOfFile(nint mapping, uint access, uint offsetHigh, uint offsetLow, nuint bytes);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int UnmapViewOfFile(byte* view);

    /// <returns>0 where it succeeded (an NTSTATUS).</returns>
    [LibraryImport("ntdll")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    public static partial int NtQueryInformationThread(nint thread, int kind, void* information, uint size, uint* written);

    /// <summary>MEMORY_BASIC_INFORMATION of 64 bits.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct MemoryInformation
    {
        public ulong Start;
        public ulong AllocationStart;
        public uint AllocationProtection;
        public uint Partition;
        public ulong Size;
        public uint State;
        public uint Protection;
        public uint Kind;
        public uint Padding;
    }

    /// <summary>THREADENTRY32.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct ThreadRecord
    {
        public uint Size;
        public uint Usage;
        public uint Thread;
        public uint Process;
        public int Priority;
        public int PriorityChange;
        public uint Flags;
    }

    /// <summary>THREAD_BASIC_INFORMATION of 64 bits.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct BasicThread
    {
        public int ExitStatus;
        public ulong Teb;
        public ulong Process;
        public ulong Thread;
        public ulong Affinity;
        public int Priority;
        public int BasePriority;
    }
}
