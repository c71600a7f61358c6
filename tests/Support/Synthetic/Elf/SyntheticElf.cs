namespace HangTriage.Tests.Support.Synthetic.Elf;

/// <summary>Writes 64-bit little-endian ELF files for x64 ("Tool Interface Standard, ELF 1.2"; core(5) for the notes of cores).</summary>
public static class SyntheticElf
{
    public const int PageSize = 4096;

    private const int HeaderSize = 64;
    private const int ProgramHeaderSize = 56;

    /// <summary>An image of some pages, all of them filled with that byte but for the headers and the build id.</summary>
    /// <param name="buildId">The build id.</param>
    /// <param name="pages">How many pages.</param>
    /// <param name="fill">What they are filled with.</param>
    /// <param name="isWritableFrom">From this page on the process may write to it; 0 for nowhere.</param>
    public static byte[] Image(byte[] buildId, int pages, byte fill, int isWritableFrom = 0)
    {
        byte[] note = Note("GNU", 3, buildId);
        byte[] image = new byte[pages * PageSize];
        image.AsSpan().Fill(fill);
        using BinaryWriter writer = new(new MemoryStream(image));
        int start = HeaderSize + (2 * ProgramHeaderSize);
        int written = isWritableFrom == 0 ? 0 : (pages - isWritableFrom) * PageSize;
        WriteHeader(writer, type: 3, programHeaders: 2);
        WriteProgramHeader(writer, type: 4, start, address: start, note.Length, note.Length);
        WriteProgramHeader(writer, type: 1, isWritableFrom * PageSize, address: isWritableFrom * PageSize, written, written, flags: 6);
        writer.Write(note);
        return image;
    }

    /// <summary>A core of a process with one thread.</summary>
    /// <param name="memory">Its memory, in the order of the file.</param>
    /// <param name="files">What it had mapped.</param>
    /// <param name="signal">The signal in its thread's status.</param>
    /// <param name="thread">The id of its thread.</param>
    /// <param name="from">The code of the signal's siginfo and its sender; null where there is no such note.</param>
    public static byte[] Core(IReadOnlyList<SyntheticCoreMemory> memory, IReadOnlyList<SyntheticMapping> files, ushort signal = 0,
        int thread = 0, (int Code, int Sender)? from = null)
    {
        // elf_prstatus of x64: siginfo (12 bytes), the signal, padding, two masks of 8 bytes, the id.
        byte[] status = new byte[336];
        BitConverter.TryWriteBytes(status.AsSpan(12), signal);
        BitConverter.TryWriteBytes(status.AsSpan(32), thread);
        byte[] notes =
            [.. Note("CORE", 1, status), .. from is { } origin
                ? Origin(signal, thread, origin.Code, origin.Sender)
                : [], .. Note("CORE", 0x46494C45, FileTable(files))];
        MemoryStream core = new();
        using BinaryWriter writer = new(core);
        WriteHeader(writer, type: 4, programHeaders: memory.Count + 1);
        long at = HeaderSize + ((memory.Count + 1) * ProgramHeaderSize);
        WriteProgramHeader(writer, type: 4, at, address: 0, notes.Length, notes.Length);
        at += notes.Length;
        foreach (SyntheticCoreMemory piece in memory)
        {
            WriteProgramHeader(writer, type: 1, at, (long)piece.Address, piece.Contents.Length, piece.Size);
            at += piece.Contents.Length;
        }

        writer.Write(notes);
        foreach (SyntheticCoreMemory piece in memory)
        {
            writer.Write(piece.Contents);
        }

        return core.ToArray();
    }

    // elf_prpsinfo with the process's id, which is its thread's, and siginfo_t: number, error, code, padding, sender.
    private static byte[] Origin(int signal, int process, int code, int sender)
    {
        byte[] information = new byte[136];
        BitConverter.TryWriteBytes(information.AsSpan(24), process);
        byte[] origin = new byte[128];
        BitConverter.TryWriteBytes(origin, signal);
        BitConverter.TryWriteBytes(origin.AsSpan(8), code);
        BitConverter.TryWriteBytes(origin.AsSpan(16), sender);
        return [.. Note("CORE", 3, information), .. Note("CORE", 0x53494749, origin)];
    }

    private static void WriteHeader(BinaryWriter writer, ushort type, int programHeaders)
    {
        writer.Write("\u007fELF\u0002\u0001\u0001"u8);
        writer.Write(new byte[9]);
        writer.Write(type);
        writer.Write((ushort)62);
        writer.Write(1);
        writer.Write(0L);
        writer.Write((long)HeaderSize);
        writer.Write(0L);
        writer.Write(0);
        writer.Write((ushort)HeaderSize);
        writer.Write((ushort)ProgramHeaderSize);
        writer.Write((ushort)programHeaders);
        writer.Write(new byte[6]);
    }

    private static void WriteProgramHeader(BinaryWriter writer, int type, long offset, long address, long fileSize, long memorySize,
        int flags = 4)
    {
        writer.Write(type);
        writer.Write(flags);
        writer.Write(offset);
        writer.Write(address);
        writer.Write(address);
        writer.Write(fileSize);
        writer.Write(memorySize);
        writer.Write(4L);
    }

    private static byte[] Note(string owner, int type, byte[] contents)
    {
        MemoryStream note = new();
        using BinaryWriter writer = new(note);
        writer.Write(owner.Length + 1);
        writer.Write(contents.Length);
        writer.Write(type);
        writer.Write(Padded([.. System.Text.Encoding.ASCII.GetBytes(owner), 0]));
        writer.Write(Padded(contents));
        return note.ToArray();
    }

    private static byte[] FileTable(IReadOnlyList<SyntheticMapping> files)
    {
        MemoryStream table = new();
        using BinaryWriter writer = new(table);
        writer.Write((long)files.Count);
        writer.Write((long)PageSize);
        foreach (SyntheticMapping file in files)
        {
            writer.Write(file.Address);
            writer.Write(file.Address + ((ulong)file.Pages * PageSize));
            writer.Write((long)file.FirstPage);
        }

        foreach (SyntheticMapping file in files)
        {
            writer.Write([.. System.Text.Encoding.UTF8.GetBytes(file.Path), (byte)0]);
        }

        return table.ToArray();
    }

    private static byte[] Padded(byte[] bytes) => [.. bytes, .. new byte[-bytes.Length & 3]];
}
