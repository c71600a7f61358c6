using HangTriage.Tests.Capture.Windows;
using static HangTriage.Tests.Capture.Windows.Codes;
using static HangTriage.Tests.Capture.Windows.DumpBytes;

namespace HangTriage.Tests.Fuzz;

/// <summary>
/// A dump with all that the public ones lack: an image with unwind data of every kind and exports, stacks that lead
/// through it, thread blocks, a process block and a held loader lock.
/// </summary>
internal static class FullDump
{
    private const ulong ImageBase = 0x7FF6_0000_0000;
    private const ulong Teb = 0x7000_0000;
    private const ulong Peb = 0x6000_0000;
    private const ulong Section = ImageBase + 0xF000;
    private const ulong Stack = 0x10_0000;
    private const int StackWords = 64;

    public static byte[] Build()
    {
        DumpBytes dump = new DumpBytes().System();
        List<(ulong Address, byte[] Bytes)> memory = [(ImageBase, Image()), (Peb, ProcessBlock())];
        List<byte> threads = [.. U32(4)];
        for (uint i = 0; i < 4; i++)
        {
            ulong stack = Stack + (i * 0x10000);
            byte[] words = StackOf(i);
            byte[] context = FakeProcess.Context(ImageBase + 0x1010 + (i * 0x100), stack, (Rbp, stack + 64), (Rbx, stack));
            uint contextRva = dump.Loose(context);
            threads.AddRange(Thread(100 + i, Teb + (i * 0x2000), stack, (uint)words.Length, 0, (uint)context.Length, contextRva));
            memory.Add((stack, words));
            memory.Add((Teb + (i * 0x2000), ThreadBlock(i, stack)));
        }

        dump.Stream(3, [.. threads]);
        dump.Stream(4, [.. U32(1), .. Module(ImageBase, ImageBytes.Size, dump.Text("ntdll.dll"), 1, 10, 0, 1, 2)]);
        uint data = 0;
        foreach ((_, byte[] bytes) in memory)
        {
            uint rva = dump.Loose(bytes);
            data = data == 0 ? rva : data;
        }

        return dump
            .Stream(9, [.. U64((ulong)memory.Count), .. U64(data), .. memory.SelectMany(m => (byte[])[.. U64(m.Address), .. U64((ulong)m.Bytes.Length)])])
            .Stream(17, [.. U32(12), .. U32(64), .. U32(1), .. ThreadInfo(100, 0, 133_000_000_000_000_000, 5, 6, 7)])
            .Stream(24, [.. U32(1), .. U32(101), .. U64(dump.Text("worker"))])
            .Build();
    }

    private static byte[] Image()
    {
        ImageBytes image = new ImageBytes()
            .Function(0x1000, 0x1100, Info(7, AllocSmall(7, 0x20), Push(3, R12), Push(1, Rbx)))
            .Function(0x1100, 0x1200, Framed(12, Rbp, 1, Save(12, Rsi, 0x10), SetFrame(8), AllocSmall(4, 32)))
            .Function(0x1200, 0x1300, Version2(7, Epilogs(4, true, 0x80), AllocLarge16(7, 0x88), Push(3, R12), Push(1, Rbx)))
            .Function(0x1300, 0x1400, Info(1, AllocSmall(1, 8), MachineFrame(true)))
            .Function(0x1400, 0x1500, Info(9, SaveXmmFar(9), SaveXmm(8), SaveFar(7, Rdi, 0x40), AllocLarge32(4, 0x50)));
        image.Function(0x1500, 0x1600, Chained(4, image.Entry(0), AllocSmall(4, 24))).IndirectFunction(0x1600, 0x1700, 0);
        for (uint function = 0x1000; function < 0x1700; function += 0x100)
        {
            image.Code(function + 0x50, 0xE8, 0, 0, 0, 0).Export($"Function{function:x}", function);
        }

        byte[] bytes = image.Export("RtlUserThreadStart", 0x1800).Code(0x1010, 0x48, 0x83, 0xC4, 0x20, 0x41, 0x5C, 0x5B, 0xC3).Build();
        BitConverter.TryWriteBytes(bytes.AsSpan(0xF008), -6);
        BitConverter.TryWriteBytes(bytes.AsSpan(0xF00C), 1);
        BitConverter.TryWriteBytes(bytes.AsSpan(0xF010), 101UL);

        // The debug record of the loader lock, and the head of the list that it is in.
        Span<byte> record = bytes.AsSpan(0xF040);
        BitConverter.TryWriteBytes(bytes.AsSpan(0xF000), ImageBase + 0xF040);
        BitConverter.TryWriteBytes(record[8..], Section);
        BitConverter.TryWriteBytes(record[0x10..], ImageBase + 0xF080);
        BitConverter.TryWriteBytes(record[0x18..], ImageBase + 0xF080);
        BitConverter.TryWriteBytes(bytes.AsSpan(0xF080), ImageBase + 0xF050);
        BitConverter.TryWriteBytes(bytes.AsSpan(0xF088), ImageBase + 0xF050);
        return bytes;
    }

    private static byte[] ProcessBlock()
    {
        byte[] block = new byte[0x800];
        BitConverter.TryWriteBytes(block.AsSpan(0x10), ImageBase);
        BitConverter.TryWriteBytes(block.AsSpan(0x110), Section);
        return block;
    }

    private static byte[] ThreadBlock(uint index, ulong stack)
    {
        byte[] block = new byte[0x1840];
        BitConverter.TryWriteBytes(block.AsSpan(0x08), stack + (StackWords * 8));
        BitConverter.TryWriteBytes(block.AsSpan(0x10), stack);
        BitConverter.TryWriteBytes(block.AsSpan(0x30), Teb + (index * 0x2000));
        BitConverter.TryWriteBytes(block.AsSpan(0x48), 100UL + index);
        BitConverter.TryWriteBytes(block.AsSpan(0x60), Peb);
        return block;
    }

    private static byte[] StackOf(uint thread)
    {
        byte[] words = new byte[StackWords * 8];
        for (int i = 0; i < StackWords; i++)
        {
            ulong function = 0x1000 + ((ulong)((i + thread) % 7) * 0x100);
            BitConverter.TryWriteBytes(words.AsSpan(i * 8), ImageBase + function + 0x55);
        }

        return words;
    }
}
