using HangTriage.Capture.Managed;
using HangTriage.Tests.Capture.Linux;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>Instructions as an assembler writes them; the return address is the one behind the call.</summary>
public sealed class CallTargetTests
{
    private const ulong Start = 0x7f00_0000_1000;
    private const ulong Return = Start + 8;

    [Theory]
    [InlineData(new byte[] { 0x90, 0x90, 0x90, 0xE8, 0xF8, 0x00, 0x00, 0x00 }, Return + 0xF8)]
    [InlineData(new byte[] { 0x90, 0x90, 0x90, 0xE8, 0xF8, 0xFF, 0xFF, 0xFF }, Return - 8)]
    [InlineData(new byte[] { 0x90, 0x90, 0xFF, 0xD0, 0x90, 0x90, 0xFF, 0xD0 }, null)]
    [InlineData(new byte[] { 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90 }, null)]
    public void A_direct_call_leads_where_its_distance_says(byte[] code, ulong? target)
        => Assert.Equal(target, CallTarget.Of(new MemoryPiece(Start, code), Return));

    [Fact]
    public void A_call_through_a_cell_leads_where_the_cell_says()
    {
        byte[] code = [0x90, 0x90, 0xFF, 0x15, 0x08, 0x00, 0x00, 0x00, .. new byte[8], 0x42, 0, 0, 0, 0, 0, 0, 0];

        Assert.Equal(0x42UL, CallTarget.Of(new MemoryPiece(Start, code), Return));
        Assert.Null(CallTarget.Of(new MemoryPiece(Start, code[..8]), Return));
    }

    [Theory]
    [InlineData(new byte[] { 0x48, 0xB8, 0x42, 0, 0, 0, 0, 0x10, 0, 0, 0xFF, 0xD0 }, 0x1000_0000_0042UL)]
    [InlineData(new byte[] { 0x48, 0xB8, 0x42, 0, 0, 0, 0, 0x10, 0, 0, 0xFF, 0xD1 }, null)]
    [InlineData(new byte[] { 0x48, 0xB9, 0x42, 0, 0, 0, 0, 0x10, 0, 0, 0xFF, 0xD0 }, null)]
    public void A_call_of_the_number_that_was_just_put_into_rax_leads_there(byte[] code, ulong? target)
        => Assert.Equal(target, CallTarget.Of(new MemoryPiece(Start, code), Start + (ulong)code.Length));

    [Fact]
    public void Memory_that_is_missing_has_no_call()
        => Assert.Null(CallTarget.Of(new MemoryPiece(Start, [0xE8]), 0x1000));
}
