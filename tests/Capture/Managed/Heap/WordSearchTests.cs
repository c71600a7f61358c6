using HangTriage.Capture.Managed.Heap;

namespace HangTriage.Tests.Capture.Managed.Heap;

public sealed class WordSearchTests
{
    private const ulong Start = 0x7f12_3456_0000;

    [Theory]
    [InlineData(8, 0)]
    [InlineData(8, 1)]
    [InlineData(8, 1_000)]
    [InlineData(8, 100_000)]
    [InlineData(4, 1)]
    [InlineData(4, 1_000)]
    public void It_finds_the_words_of_the_set_and_no_others(int pointerSize, int wanted)
    {
        Random random = new(wanted);
        byte[] memory = new byte[40_003];
        random.NextBytes(memory);
        ulong[] all = [.. Enumerable.Range(0, memory.Length / pointerSize).Select(index => WordAt(memory, index, pointerSize))];
        HashSet<ulong> set = [.. Enumerable.Range(0, wanted).Select(_ => random.Next(2) == 0 ? (ulong)random.NextInt64() : all[random.Next(all.Length)])];
        List<(ulong At, ulong Word)> found = [];

        new WordSearch(set, pointerSize).Find(memory, Start, found);

        Assert.Equal(all.Select((word, index) => (Start + (ulong)(index * pointerSize), word)).Where(pair => set.Contains(pair.word)), found);
    }

    private static ulong WordAt(byte[] memory, int index, int pointerSize)
        => pointerSize == 8 ? BitConverter.ToUInt64(memory, index * 8) : BitConverter.ToUInt32(memory, index * 4);
}
