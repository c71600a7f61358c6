using System.Runtime.InteropServices;

namespace HangTriage.Capture.Linux.Live;

/// <summary>The calls of the system by which another process is stopped and read (ptrace(2), wait(2), process_vm_readv(2)).</summary>
internal static unsafe partial class SystemCalls
{
    /// <summary>Becomes the tracer of a thread without stopping it (ptrace).</summary>
    public const int Seize = 0x4206;

    /// <summary>Stops a seized thread. The stop ends with its tracer, however that ends (ptrace).</summary>
    public const int Interrupt = 0x4207;

    /// <summary>Reads a set of registers of a stopped thread (ptrace).</summary>
    public const int GetRegisterSet = 0x4204;

    /// <summary>Lets a stopped thread continue, with a signal, and traces it no more (ptrace).</summary>
    public const int Detach = 17;

    /// <summary>The general registers (NT_PRSTATUS of elf.h).</summary>
    public const int GeneralRegisters = 1;

    /// <summary>Those for floating-point numbers, as FXSAVE writes them (NT_PRFPREG of elf.h).</summary>
    public const int FloatRegisters = 2;

    /// <summary>Do not wait (WNOHANG); threads other than the first of their process too (__WALL).</summary>
    public const int AtOnceOfAnyThread = 1 | 0x40000000;

    public const int NoPermission = 1;
    public const int NoSuchProcess = 3;
    public const int Interrupted = 4;

    /// <summary>As many ranges as one call takes (IOV_MAX).</summary>
    public const int RangesAtOnce = 1024;

    /// <summary>long ptrace(request, thread, address, data): below 0 for failure, with the reason in errno.</summary>
    [LibraryImport("libc", EntryPoint = "ptrace", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial nint Trace(nint request, int thread, nint address, nint data);

    /// <summary>pid_t waitpid(thread, status, options): the thread, 0 where nothing is to be said of it yet, below 0 for failure.</summary>
    [LibraryImport("libc", EntryPoint = "waitpid", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int Wait(int thread, int* status, int options);

    /// <summary>ssize_t process_vm_readv(...): bytes read, in the order of the ranges; it ends at the first that cannot be read.</summary>
    [LibraryImport("libc", EntryPoint = "process_vm_readv", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial nint ReadMemory(int process, MemoryRange* local, nuint localCount, MemoryRange* remote, nuint remoteCount, nuint flags);

    /// <summary>int setpriority(0, 0, priority): of the calling thread alone, on Linux; refused where the user may not.</summary>
    [LibraryImport("libc", EntryPoint = "setpriority", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int SetPriority(int kind, int thread, int priority);

    /// <summary>struct iovec.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct MemoryRange
    {
        public ulong Start;
        public ulong Length;
    }
}
