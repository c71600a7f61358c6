namespace HangTriage.Tests.Support.Synthetic;

/// <summary>The streams about threads.</summary>
internal static class ThreadStreams
{
    public static StreamBody ThreadList(MinidumpFile file, IReadOnlyList<SyntheticThreadRecord> threads)
    {
        uint[] contexts = [.. threads.Select(thread => thread.Context is null ? 0 : file.Place(thread.Context))];
        StreamBody body = new() { CountOffset = 0 };
        body.Bytes.U32((uint)threads.Count);
        for (int index = 0; index < threads.Count; index++)
        {
            SyntheticThreadRecord thread = threads[index];
            body.Bytes.U32(thread.Id).U32(thread.SuspendCount).U32(thread.PriorityClass).U32(thread.Priority);
            body.Bytes.U64(thread.Teb);
            WriteStack(body, thread.Stack);
            body.Bytes.U32((uint)(thread.Context?.Length ?? 0)).U32(contexts[index]);
        }

        return body;
    }

    public static StreamBody ThreadInfoList(IReadOnlyList<SyntheticThreadRecord> threads)
    {
        (uint Id, SyntheticThreadTimes Times)[] entries
            = [.. threads.Where(thread => thread.Times is not null).Select(thread => (thread.Id, thread.Times!))];
        StreamBody body = new() { CountOffset = 8 };
        body.Bytes.U32(12).U32(64).U32((uint)entries.Length);
        foreach ((uint id, SyntheticThreadTimes times) in entries)
        {
            body.Bytes.U32(id).U32(times.DumpFlags).U32(times.DumpError).U32(times.ExitStatus);
            body.Bytes.U64(WindowsTime.FileTime(times.CreatedAt));
            body.Bytes.U64(times.ExitedAt is DateTime exited ? WindowsTime.FileTime(exited) : 0);
            body.Bytes.U64((ulong)times.Kernel.Ticks).U64((ulong)times.User.Ticks);
            body.Bytes.U64(times.StartAddress).U64(times.Affinity);
        }

        return body;
    }

    public static StreamBody ThreadNames(MinidumpFile file, IReadOnlyList<SyntheticThreadRecord> threads)
    {
        (uint Id, uint Rva)[] names
            = [.. threads.Where(thread => thread.Name is not null).Select(thread => (thread.Id, file.PlaceString(thread.Name!)))];
        StreamBody body = new() { CountOffset = 0 };
        body.Bytes.U32((uint)names.Length);
        foreach ((uint id, uint rva) in names)
        {
            body.Bytes.U32(id).U64(rva);
        }

        return body;
    }

    private static void WriteStack(StreamBody body, SyntheticMemory? stack)
    {
        if (stack is null)
        {
            body.Bytes.Zeros(16);
            return;
        }

        body.Bytes.U64(stack.Address).U32((uint)stack.Bytes.Length);
        body.MemoryRva(stack);
    }
}
