using HangTriage.Tests.Support.Synthetic;

namespace HangTriage.Tests.Lab;

/// <summary>A full dump of a Windows kernel (x64) with a header, and pages of zeros: enough for the engine to open it as one.</summary>
internal static class KernelDump
{
    // DUMP_HEADER64 of the Windows headers; what is not set reads PAGEPAGE..., as Windows leaves it.
    private const int HeaderBytes = 0x2000;
    private const int Pages = 16;
    private const int PageBytes = 0x1000;
    private const ulong Kernel = 0xFFFF_F800_0040_0000;

    public static byte[] Create()
    {
        ByteWriter file = new();
        while (file.Length < HeaderBytes)
        {
            file.Bytes("PAGE"u8);
        }

        file.Zeros(Pages * PageBytes);
        file.Patch(0, "PAGEDU64"u8);
        file.PatchU32(0x08, 15); // Windows 10, build
        file.PatchU32(0x0C, 19041);
        file.PatchU64(0x10, PageBytes); // DirectoryTableBase
        file.PatchU64(0x20, Kernel); // PsLoadedModuleList
        file.PatchU64(0x28, Kernel); // PsActiveProcessHead
        file.PatchU32(0x30, 0x8664); // x64, processors
        file.PatchU32(0x34, 1);
        file.PatchU64(0x80, Kernel); // KdDebuggerDataBlock
        file.PatchU32(0x88, 1); // runs of physical memory, pages; the run's first page and count
        file.PatchU64(0x90, Pages);
        file.PatchU64(0x98, 0);
        file.PatchU64(0xA0, Pages);
        file.PatchU32(0xF98, 1); // DumpType: full
        file.PatchU64(0xFA0, (ulong)file.Length);
        return file.ToArray();
    }
}
