namespace HangTriage.Tests.Support.Synthetic;

/// <summary>The streams about the machine, the process and its memory.</summary>
internal static class MinidumpStreams
{
    public static StreamBody SystemInfo(MinidumpFile file, SyntheticSystem system)
    {
        StreamBody body = new();
        uint servicePack = file.PlaceString(system.ServicePack);
        body.Bytes.U16((ushort)system.Architecture).U16(6).U16(0x3C03).U8(system.Processors).U8(1);
        body.Bytes.U32(system.Major).U32(system.Minor).U32(system.Build).U32(2);
        body.Bytes.U32(servicePack).U16(0x100).U16(0).Zeros(24);
        return body;
    }

    public static StreamBody MiscInfo(SyntheticProcessInfo process)
    {
        const uint ProcessIdValid = 1;
        const uint ProcessTimesValid = 2;
        StreamBody body = new();
        body.Bytes.U32(24).U32(ProcessIdValid | ProcessTimesValid).U32(process.Pid);
        body.Bytes.U32(WindowsTime.UnixSeconds(process.CreatedAt));
        body.Bytes.U32((uint)process.UserTime.TotalSeconds).U32((uint)process.KernelTime.TotalSeconds);
        return body;
    }

    public static StreamBody MemoryList(MinidumpFile file, IReadOnlyList<SyntheticMemory> blocks)
    {
        StreamBody body = new() { CountOffset = 0 };
        file.PlaceMemory(blocks);
        body.Bytes.U32((uint)blocks.Count);
        foreach (SyntheticMemory block in blocks)
        {
            body.Bytes.U64(block.Address).U32((uint)block.Bytes.Length).U32(file.RvaOf(block));
        }

        return body;
    }

    /// <summary>Unlike in the MemoryList, blocks have no position of their own: they follow each other from one base.</summary>
    public static StreamBody Memory64List(MinidumpFile file, IReadOnlyList<SyntheticMemory> blocks)
    {
        StreamBody body = new() { CountOffset = 0, CountIsWide = true };
        body.Bytes.U64((ulong)blocks.Count).U64(file.PlaceMemory(blocks));
        foreach (SyntheticMemory block in blocks)
        {
            body.Bytes.U64(block.Address).U64((ulong)block.Bytes.Length);
        }

        return body;
    }

    public static StreamBody MemoryInfoList(IReadOnlyList<SyntheticRegion> regions)
    {
        StreamBody body = new() { CountOffset = 8, CountIsWide = true };
        body.Bytes.U32(16).U32(48).U64((ulong)regions.Count);
        foreach (SyntheticRegion region in regions)
        {
            body.Bytes.U64(region.Address).U64(region.AllocationBase ?? region.Address).U32(region.Protect).U32(0);
            body.Bytes.U64(region.Size).U32(region.State).U32(region.Protect).U32(region.Type).U32(0);
        }

        return body;
    }
}
