using System.Runtime.InteropServices;

namespace CollectionHeldUp;

/// <summary>The same for Windows.</summary>
internal static partial class NativeSleep
{
    public static void Block() => Sleep(uint.MaxValue);

    [LibraryImport("kernel32")]
    [SuppressGCTransition]
    private static partial void Sleep(uint milliseconds);
}
