using System.Buffers.Binary;
using HangTriage.Capture.Managed;
using HangTriage.Capture.Managed.Reading;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Managed.Reading;

/// <summary>Tables over which the runtime's own library of .NET 8 falls, and such as look alike.</summary>
public sealed class TypeGuessesTests
{
    private const ulong Class = 0x1000;
    private const ulong Canonical = 0x2000;
    private const uint IsGeneric = 0x10;
    private const uint IsArray = 0x0008_0000;
    private const uint HasComponents = 0x8000_0000;

    [Theory]
    [InlineData(IsGeneric, Class, 0, true)]
    [InlineData(IsArray | HasComponents, Class, 0, true)]
    [InlineData(IsGeneric, Canonical | 1, 0, true)]
    [InlineData(IsGeneric, Canonical | 2, 0, true)]
    [InlineData(IsGeneric, Class, Canonical, false)]
    [InlineData(IsGeneric, Canonical | 1, Canonical, false)]
    [InlineData(0, Class, 0, false)]
    [InlineData(IsGeneric | HasComponents, Class, 0, false)]
    [InlineData(IsGeneric, 0x3000, 0, false)]
    [InlineData(0, 1, 0, true)]
    [InlineData(0, 3, 0, true)]
    [InlineData(0, 0, 0, false)]
    public void A_table_is_broken_where_a_link_leads_nowhere(uint flags, ulong link, ulong tableOfClass, bool isBroken)
    {
        byte[] table = new byte[0x40];
        BinaryPrimitives.WriteUInt32LittleEndian(table, flags);
        BinaryPrimitives.WriteUInt64LittleEndian(table.AsSpan(0x28), link);
        Words words = new(new Dictionary<ulong, ulong> { [Class + 0x10] = tableOfClass, [Canonical + 0x28] = Class });

        Assert.Equal(isBroken, TypeGuesses.IsBrokenTable(table, words));
        Assert.False(TypeGuesses.IsBrokenTable(table.AsSpan(0, 0x38), words));
    }

    private sealed class Words(IReadOnlyDictionary<ulong, ulong> words) : ForwardingReader(null!)
    {
        public override int Read(ulong address, Span<byte> buffer)
        {
            if (!words.TryGetValue(address, out ulong word))
            {
                return 0;
            }

            BinaryPrimitives.WriteUInt64LittleEndian(buffer, word);
            return sizeof(ulong);
        }
    }
}
