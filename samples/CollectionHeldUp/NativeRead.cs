using System.Runtime.InteropServices;

namespace CollectionHeldUp;

/// <summary>A call that blocks, declared as one that returns at once: the runtime has to wait for it before it can stop the thread.</summary>
internal static unsafe partial class NativeRead
{
    public static void Block()
    {
        // Nobody writes to this pipe.
        int* ends = stackalloc int[2];
        byte next = 0;
        if (OpenPipe(ends) == 0)
        {
            _ = Read(ends[0], &next, 1);
        }
    }

    [LibraryImport("libc", EntryPoint = "pipe")]
    private static partial int OpenPipe(int* ends);

    [LibraryImport("libc", EntryPoint = "read")]
    [SuppressGCTransition]
    private static partial nint Read(int file, byte* buffer, nint length);
}
