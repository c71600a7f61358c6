using HangTriage.Capture.Managed;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>Where a function that was caught at its very beginning or end has its return address.</summary>
public sealed class NativeLeavesTests
{
    private const ulong Ip = 0x1000;
    private const ulong Sp = 0x8000;

    // The first byte stands before the instruction.
    [Theory]
    [InlineData("5D C3 CC CC CC", Sp)]
    [InlineData("CC 55 48 89 E5", Sp)]
    [InlineData("CC F3 0F 1E FA", Sp)]
    [InlineData("55 48 89 E5 53", Sp + sizeof(ulong))]
    [InlineData("E5 48 83 EC 20", null)]
    [InlineData("20 5D C3 CC CC", null)]
    [InlineData("CC 55 41 57 41", null)]
    public void The_return_address_is_on_top_until_the_frame_is_made_and_after_it_is_given_up(string code, ulong? expected)
    {
        byte[] bytes = Convert.FromHexString(code.Replace(" ", string.Empty, StringComparison.Ordinal));

        Assert.Equal(expected, NativeLeaves.ReturnAddressAt(new Code(bytes), Ip, Sp));
    }

    private sealed class Code(byte[] bytes) : ForwardingReader(null!)
    {
        public override int Read(ulong address, Span<byte> buffer)
        {
            if (address != Ip - 1)
            {
                return 0;
            }

            bytes.AsSpan(0, buffer.Length).CopyTo(buffer);
            return buffer.Length;
        }
    }
}
