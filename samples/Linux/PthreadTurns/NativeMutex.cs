using System.ComponentModel;
using System.Runtime.InteropServices;

namespace PthreadTurns;

/// <summary>A pthread_mutex_t, as a library in C would have one.</summary>
internal static unsafe partial class NativeMutex
{
    private const nuint Size = 64;

    private static readonly void* s_mutex = NativeMemory.AllocZeroed(Size);

    public static void Enter() => Check(Lock(s_mutex));

    public static void Leave() => Check(Unlock(s_mutex));

    private static void Check(int error)
    {
        if (error != 0)
        {
            throw new Win32Exception(error);
        }
    }

    [LibraryImport("libc", EntryPoint = "pthread_mutex_lock")]
    private static partial int Lock(void* mutex);

    [LibraryImport("libc", EntryPoint = "pthread_mutex_unlock")]
    private static partial int Unlock(void* mutex);
}
