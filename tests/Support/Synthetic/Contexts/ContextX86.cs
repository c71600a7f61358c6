namespace HangTriage.Tests.Support.Synthetic;

/// <summary>The CONTEXT record of a 32-bit x86 thread: 716 bytes. The stack bytes are the caller's to lay out.</summary>
public static class ContextX86
{
    public const int Size = 0x2CC;

    // CONTEXT_i386 with control, integer and segments.
    private const uint Flags = 0x0001_0007;

    public static byte[] Create(uint eip, uint esp, uint ebp, uint eax = 0, uint ebx = 0, uint ecx = 0, uint edx = 0, uint esi = 0, uint edi = 0)
        => new SyntheticMemory(0, Size)
            .U32(0x00, Flags)
            .U32(0x8C, 0x2B).U32(0x90, 0x53).U32(0x94, 0x2B).U32(0x98, 0x2B)
            .U32(0x9C, edi).U32(0xA0, esi).U32(0xA4, ebx).U32(0xA8, edx).U32(0xAC, ecx).U32(0xB0, eax)
            .U32(0xB4, ebp).U32(0xB8, eip).U32(0xBC, 0x23).U32(0xC0, 0x246).U32(0xC4, esp).U32(0xC8, 0x2B)
            .Bytes;
}
