using System.Buffers.Binary;
using System.Security.Cryptography;
using HangTriage.Capture.Linux;
using HangTriage.Facts;

namespace HangTriage.Tests.Capture.Linux;

/// <summary>What tells a Linux process from another that had its id.</summary>
public sealed class IdentityTests
{
    private const ulong SeedAddress = 0x7ffc_0000_1ff8;

    private static readonly byte[] s_seed = [.. Enumerable.Range(1, 16).Select(value => (byte)value)];

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void The_vector_is_read_in_words_of_the_process(bool is64Bit)
    {
        AuxiliaryVector vector = AuxiliaryVector.Parse(Vector(is64Bit, (33, 0x1000), (6, 4096), (3, 0x2040), (7, 0x3000), (25, 0x4000), (3, 0x9999), (0, 0)), is64Bit);

        Assert.Equal(new AuxiliaryVector { ProgramHeaders = 0x2040, Loader = 0x3000, Random = 0x4000, SystemPage = 0x1000 }, vector);
    }

    [Fact]
    public void A_vector_that_is_cut_off_says_what_it_has()
        => Assert.Equal(new AuxiliaryVector { ProgramHeaders = 0x2040 }, AuxiliaryVector.Parse(Vector(true, (3, 0x2040), (25, 0x4000)).AsSpan(0, 28), true));

    [Fact]
    public void The_seed_is_kept_as_a_hash_and_never_as_its_bytes()
    {
        ProcessIdentity identity = Read(s_seed);

        Assert.Equal(Convert.ToHexString(SHA256.HashData(s_seed))[..16], identity.Seed.Value);
        Assert.Equal(Trust.Derived, identity.Seed.Trust);
        Assert.Equal((new Address(0x2040), new Address(0x3000), null), (identity.Program, identity.Loader, identity.SystemPage));
        Assert.NotEqual(identity.Seed.Value, Read([.. s_seed.Reverse()]).Seed.Value);
    }

    [Fact]
    public void A_seed_that_is_not_in_the_core_or_only_half_is_a_gap()
    {
        Assert.Equal("the page at 0x7ffc00001ff8 is not in the core", Read([]).Seed.Gap!.Why);
        Assert.False(Read(s_seed[..8]).Seed.HasValue);
    }

    [Fact]
    public void A_vector_without_a_seed_is_a_gap()
        => Assert.Equal("the notes do not say where it lies", IdentityReader.Read(new AuxiliaryVector { Loader = 1 }, (_, _) => 16).Seed.Gap!.Why);

    private static ProcessIdentity Read(byte[] memory)
        => IdentityReader.Read(new AuxiliaryVector { ProgramHeaders = 0x2040, Loader = 0x3000, Random = SeedAddress }, (address, buffer) =>
        {
            Assert.Equal(SeedAddress, address);
            memory.CopyTo(buffer, 0);
            return memory.Length;
        });

    private static byte[] Vector(bool is64Bit, params (ulong Key, ulong Value)[] pairs)
    {
        int word = is64Bit ? 8 : 4;
        byte[] bytes = new byte[pairs.Length * 2 * word];
        for (int i = 0; i < pairs.Length; i++)
        {
            Write(bytes.AsSpan(2 * i * word), pairs[i].Key, is64Bit);
            Write(bytes.AsSpan(((2 * i) + 1) * word), pairs[i].Value, is64Bit);
        }

        return bytes;
    }

    private static void Write(Span<byte> at, ulong value, bool is64Bit)
    {
        if (is64Bit)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(at, value);
        }
        else
        {
            BinaryPrimitives.WriteUInt32LittleEndian(at, (uint)value);
        }
    }
}
