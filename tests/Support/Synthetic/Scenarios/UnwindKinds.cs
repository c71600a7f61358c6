namespace HangTriage.Tests.Support.Synthetic.Scenarios;

/// <summary>An image with a function for each kind of unwind code.</summary>
public static class UnwindKinds
{
    public static SyntheticImage Image(ulong imageBase = 0x0000_7FFC_1010_0000)
    {
        SyntheticImage image = new(@"C:\Tests\kinds.dll", imageBase, textSize: 0x8000);
        AddPushesAndAllocations(image);
        AddFrames(image);
        AddSaves(image);
        AddChains(image);
        AddListedEpilogs(image);
        return image
            .Function("Handler", 0x80, exported: true, prolog: prolog => prolog.Push(Register.Rbx).Alloc(0x30).WithHandler())
            .Function("Interrupted", 0x80, exported: true, prolog: prolog => prolog.MachineFrame().Push(Register.Rbx).Alloc(0x60))
            .Function("InterruptedWithErrorCode", 0x80, exported: true, prolog: prolog => prolog.MachineFrame(errorCode: true).Push(Register.R12).Push(Register.Rdi).Alloc(0x58));
    }

    /// <summary>The offsets behind each instruction of an epilog, but not behind its return, and that of the first one.</summary>
    public static IEnumerable<int> EpilogBoundaries(SyntheticFunction function, int start)
    {
        int offset = start;
        foreach (EpilogStep step in function.Epilog?.Steps ?? [])
        {
            yield return offset;
            offset += step.Code.Length;
        }
    }

    private static void AddPushesAndAllocations(SyntheticImage image) => image
        .Leaf("Leaf", [0x48, 0x31, 0xC0, 0x48, 0xFF, 0xC0, 0xC3], exported: true)
        .Function("PushesAll", 0x80, exported: true, prolog: prolog => prolog
            .Push(Register.Rbx).Push(Register.Rbp).Push(Register.Rsi).Push(Register.Rdi)
            .Push(Register.R12).Push(Register.R13).Push(Register.R14).Push(Register.R15).Alloc(0x28))
        .Function("AllocatesLeast", 0x40, exported: true, prolog: prolog => prolog.Alloc(8))
        .Function("AllocatesSmall", 0x60, exported: true, prolog: prolog => prolog.Push(Register.Rbx).Alloc(0x80))
        .Function("AllocatesLarge", 0x60, exported: false, prolog: prolog => prolog.Push(Register.Rdi).Alloc(0x88))
        .Function("AllocatesMostIn16Bits", 0x60, exported: true, prolog: prolog => prolog.Push(Register.Rsi).AllocLarge(0x7_FFF8))
        .Function("AllocatesHuge", 0x60, exported: true, prolog: prolog => prolog.Push(Register.R15).Alloc(0x8_0000))
        .Function("AllocatesLittleInHugeForm", 0x60, exported: true, prolog: prolog => prolog.Push(Register.R14).AllocHuge(0x40))
        .Function("AllocatesTwice", 0x60, exported: true, prolog: prolog => prolog.Alloc(0x18).Alloc(0x100));

    private static void AddFrames(SyntheticImage image) => image
        .Function("FrameAtRsp", 0x80, exported: true, prolog: prolog => prolog.Push(Register.Rbp).Alloc(0x40).SetFrame(Register.Rbp))
        .Function("FrameAbove", 0x80, exported: true, prolog: prolog => prolog.Push(Register.Rbp).Push(Register.Rbx).AllocLarge(0x158).SetFrame(Register.Rbp, 0x80))
        .Function("FrameFarthest", 0x80, exported: false, prolog: prolog => prolog.Push(Register.R13).AllocLarge(0x200).SetFrame(Register.R13, 0xF0))
        .Function("FrameBeforeAllocation", 0x80, exported: true, prolog: prolog => prolog.Push(Register.Rbp).SetFrame(Register.Rbp).Alloc(0x50))
        .Function("FrameWithSaves", 0xC0, exported: true, prolog: prolog => prolog
            .Push(Register.Rbp).Alloc(0x70).SetFrame(Register.Rbp, 0x20).Save(Register.Rsi, 0x80).SaveXmm(7, 0x50));

    private static void AddSaves(SyntheticImage image) => image
        .Function("Saves", 0x80, exported: true, prolog: prolog => prolog.Alloc(0x48).Save(Register.Rbx, 0x30).Save(Register.R12, 0x38))
        .Function("SavesInHomeSpace", 0x80, exported: true, prolog: prolog => prolog.Push(Register.Rdi).Alloc(0x20).Save(Register.Rbx, 0x30).Save(Register.Rsi, 0x38))
        .Function("SavesFar", 0x80, exported: true, prolog: prolog => prolog.AllocHuge(0x8_0028).SaveFar(Register.R13, 0x8_0010).SaveFar(Register.Rbp, 0x20))
        .Function("SavesXmm", 0x100, exported: true, prolog: prolog => prolog.Push(Register.Rbx).Alloc(0x60).SaveXmm(6, 0x20).SaveXmm(15, 0x40))
        .Function("SavesXmmFar", 0x100, exported: true, prolog: prolog => prolog.Push(Register.Rsi).AllocLarge(0x400).SaveXmmFar(8, 0x300).SaveXmm(9, 0x310));

    private static void AddChains(SyntheticImage image) => image
        .Function("Chain", 0x80, exported: true, prolog: prolog => prolog.Push(Register.Rbx).Alloc(0x60))
        .Chained("Chain, saving more", "Chain", 0x60, prolog => prolog.Save(Register.Rsi, 0x40).Save(Register.Rdi, 0x48))
        .Chained("Chain, saving still more", "Chain, saving more", 0x60, prolog => prolog.Save(Register.R15, 0x50))
        .Function("FramedChain", 0x80, exported: true, prolog: prolog => prolog.Push(Register.Rbp).Alloc(0x60).SetFrame(Register.Rbp, 0x20))
        .Chained("FramedChain, saving more", "FramedChain", 0x60, prolog => prolog.Save(Register.R14, 0x50))
        .Function("PushedChain", 0x80, exported: true, prolog: prolog => prolog.Push(Register.Rbx))
        .Chained("PushedChain, pushing more", "PushedChain", 0x60, prolog => prolog.Push(Register.R12).Alloc(0x20));

    private static void AddListedEpilogs(SyntheticImage image) => image
        .Function("ListsOneEpilog", 0x80, exported: true, prolog: prolog => prolog.Push(Register.Rbx).Push(Register.R14).Alloc(0x28).Version2())
        .Function("ListsTwoEpilogs", 0x80, exported: true, prolog: prolog => prolog.Push(Register.Rdi).Alloc(0x30).Version2(0x30))
        .Function("ListsThreeEpilogs", 0x300, exported: true, prolog: prolog => prolog
            .Push(Register.Rbp).Push(Register.R12).Alloc(0x48).SetFrame(Register.Rbp, 0x20).Version2(0x40, 0x280));
}
