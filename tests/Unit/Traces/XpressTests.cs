using System.Text;
using HangTriage.Tests.Support.Synthetic.Traces;
using HangTriage.Traces.Etl;

namespace HangTriage.Tests.Unit.Traces;

/// <summary>Unpacking, against a packer that shares no code with it, and against the examples of [MS-XCA] 3.1.</summary>
public sealed class XpressTests
{
    /// <summary>Matches of every form of length: in three bits, half a byte, a byte, two bytes and four.</summary>
    [Theory]
    [InlineData(5)]
    [InlineData(12)]
    [InlineData(30)]
    [InlineData(279)]
    [InlineData(280)]
    [InlineData(60_000)]
    [InlineData(65_538)]
    [InlineData(65_539)]
    [InlineData(200_000)]
    public void Runs_of_every_length_come_back(int length)
    {
        byte[] original = [1, 2, 3, .. Enumerable.Repeat((byte)7, length), 9, .. Enumerable.Repeat((byte)7, length), 4];

        Assert.Equal(original, Unpack(PlainLz77.Pack(original), original.Length));
    }

    [Fact]
    public void Noise_comes_back()
    {
        byte[] original = new byte[50_000];
        new Random(1).NextBytes(original);

        Assert.Equal(original, Unpack(PlainLz77.Pack(original), original.Length));
    }

    [Fact]
    public void The_examples_of_the_specification_are_unpacked()
    {
        Assert.Equal(
            "abcdefghijklmnopqrstuvwxyz",
            Encoding.ASCII.GetString(Unpack(Convert.FromHexString("3f0000006162636465666768696a6b6c6d6e6f707172737475767778797a"), 26)));
        Assert.Equal(
            string.Concat(Enumerable.Repeat("abc", 100)),
            Encoding.ASCII.GetString(Unpack(Convert.FromHexString("ffffff1f61626317000fff2601"), 300)));
    }

    [Theory]
    [InlineData("ffffffff0000")]
    [InlineData("ffffff7f61ff7f")]
    public void A_match_of_what_is_not_there_is_refused(string packed)
        => Assert.Equal(-1, Xpress.Unpack(Convert.FromHexString(packed), new byte[100]));

    private static byte[] Unpack(byte[] packed, int length)
    {
        byte[] target = new byte[length];
        Assert.Equal(length, Xpress.Unpack(packed, target));
        return target;
    }
}
