using HangTriage.Tests.Support.Synthetic;

namespace HangTriage.Tests.Unit.Synthetic;

public sealed class ContextTests
{
    [Fact]
    public void An_x64_context_has_each_register_in_its_place()
    {
        ulong[] registers = [.. Enumerable.Range(0, 16).Select(register => 0x1000ul + (ulong)register)];
        UInt128[] xmm = [.. Enumerable.Range(0, 16).Select(register => new UInt128(0x3000ul + (ulong)register, 0x2000ul + (ulong)register))];
        DumpBytes context = new(ContextAmd64.Create(registers, 0x7FFE_0000, xmm));

        Assert.Equal((0x1003ul, 0x1004ul, 0x1005ul), (context.U64(0x90), context.U64(0x98), context.U64(0xA0)));
        Assert.Equal((0x100Ful, 0x7FFE_0000ul), (context.U64(0xF0), context.U64(0xF8)));
        Assert.Equal((0x2006ul, 0x3006ul), (context.U64(0x200), context.U64(0x208)));
        Assert.Equal(0x10_0000u, context.U32(0x30) & 0xFFFF_0000);
        Assert.Equal(1232, ContextAmd64.Create(registers, 0).Length);
    }

    [Fact]
    public void An_x86_context_has_each_register_in_its_place()
    {
        byte[] bytes = ContextX86.Create(eip: 1, esp: 2, ebp: 3, eax: 4, ebx: 5, esi: 6, edi: 7);
        DumpBytes context = new(bytes);

        Assert.Equal((1u, 2u, 3u), (context.U32(0xB8), context.U32(0xC4), context.U32(0xB4)));
        Assert.Equal((4u, 5u, 6u, 7u), (context.U32(0xB0), context.U32(0xA4), context.U32(0xA0), context.U32(0x9C)));
        Assert.Equal(716, bytes.Length);
    }
}
