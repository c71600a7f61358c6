using System.Buffers.Binary;
using System.Text;
using HangTriage.Capture;
using HangTriage.Capture.Linux.Snapshots;
using HangTriage.Facts;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>The core of a process without .NET, built here byte by byte as the kernel lays it out on x64.</summary>
public sealed class NativeCoreTests
{
    private const int ProcessInfo = 3;
    private const int ThreadStatus = 1;
    private const int AuxiliaryVector = 6;
    private const int FileTable = 0x46494C45;
    private const ulong Image = 0x5555_0000_0000;

    [Fact]
    public void Process_threads_and_times_are_read_and_no_runtime_is_claimed()
    {
        ProcessSnapshot snapshot = Read(Core(Process(4_711, "spinner"), Thread(4_711, 90, 250_000), Thread(4_712, 0, 0)));

        Assert.Equal(4_711u, snapshot.Target.Pid.Value);
        Assert.Equal("spinner-with-a-long-name", snapshot.Target.ProcessName.Value);
        Assert.Equal(new ModuleFacts("spinner-with-a-long-name", new Address(Image), 0x3000), Assert.Single(snapshot.Modules.Value));
        Assert.Equal(TargetKind.ElfCore, snapshot.Target.Kind);
        Assert.Equal(TargetArchitecture.X64, snapshot.Target.Architecture);
        Assert.Empty(snapshot.Target.Runtimes.Value);
        Assert.Null(snapshot.Managed);
        Assert.Equal([4_711u, 4_712u], snapshot.Threads.Value.Select(thread => thread.OsId.Value));
        Assert.Equal(TimeSpan.FromSeconds(90.25), snapshot.Threads.Value[0].Cpu.Value.User);
        Assert.Equal(TimeSpan.Zero, snapshot.Threads.Value[1].Cpu.Value.Total());
        Assert.All(snapshot.Threads.Value, thread => Assert.NotNull(thread.Stack.Stopped));
    }

    [Fact]
    public void Times_that_are_zero_everywhere_are_not_known()
    {
        ProcessSnapshot snapshot = Read(Core(Process(4_711, "spinner"), Thread(4_711, 0, 0), Thread(4_712, 0, 0)));

        Assert.All(snapshot.Threads.Value, thread => Assert.False(thread.Cpu.HasValue));
    }

    [Fact]
    public void A_cancelled_capture_stops()
    {
        string path = Write(Core(Process(1, "x"), Thread(1, 1, 0)));
        try
        {
            CaptureContext cancelled = CaptureContext.Default with { Cancellation = new CancellationToken(canceled: true) };
            Assert.Throws<OperationCanceledException>(() => LinuxCoreCapture.Read(path, cancelled));
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public void More_threads_than_the_limit_are_cut_with_a_gap()
    {
        byte[][] threads = [.. Enumerable.Range(1, 40).Select(id => Thread((uint)id, 1, 0))];
        string path = Write(Core([Process(1, "many"), .. threads]));
        try
        {
            CaptureContext few = CaptureContext.Default with { Limits = new CaptureLimits { Threads = 10 } };
            ProcessSnapshot snapshot = LinuxCoreCapture.Read(path, few);
            Assert.Equal(10, snapshot.Threads.Value.Count);
            Assert.Contains(snapshot.Gaps, gap => gap.What == "threads");
        }
        finally
        {
            File.Delete(path);
        }
    }

    private static ProcessSnapshot Read(byte[] core)
    {
        string path = Write(core);
        try
        {
            return LinuxCoreCapture.Read(path, CaptureContext.Default);
        }
        finally
        {
            File.Delete(path);
        }
    }

    private static string Write(byte[] core)
    {
        string path = Path.GetTempFileName();
        File.WriteAllBytes(path, core);
        return path;
    }

    private static byte[] Process(uint pid, string name)
    {
        byte[] info = new byte[136];
        BinaryPrimitives.WriteUInt32LittleEndian(info.AsSpan(24), pid);
        Encoding.ASCII.GetBytes(name, info.AsSpan(40));
        return Note(ProcessInfo, info);
    }

    private static byte[] Thread(uint id, long userSeconds, long userMicroseconds)
    {
        byte[] status = new byte[336];
        BinaryPrimitives.WriteUInt32LittleEndian(status.AsSpan(32), id);
        BinaryPrimitives.WriteInt64LittleEndian(status.AsSpan(48), userSeconds);
        BinaryPrimitives.WriteInt64LittleEndian(status.AsSpan(56), userMicroseconds);
        return Note(ThreadStatus, status);
    }

    private static byte[] Words(params ReadOnlySpan<ulong> words)
    {
        byte[] bytes = new byte[words.Length * 8];
        for (int i = 0; i < words.Length; i++)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(i * 8), words[i]);
        }

        return bytes;
    }

    private static byte[] Note(int type, byte[] contents)
    {
        byte[] note = new byte[20 + ((contents.Length + 3) & ~3)];
        BinaryPrimitives.WriteInt32LittleEndian(note, 5);
        BinaryPrimitives.WriteInt32LittleEndian(note.AsSpan(4), contents.Length);
        BinaryPrimitives.WriteInt32LittleEndian(note.AsSpan(8), type);
        "CORE\0"u8.CopyTo(note.AsSpan(12));
        contents.CopyTo(note, 20);
        return note;
    }

    private static byte[] Core(params byte[][] notes)
    {
        // AT_PHDR lies in the only image; the file table has one entry.
        byte[] auxiliary = Note(AuxiliaryVector, Words(3, Image + 64, 0, 0));
        byte[] files = Note(FileTable, [.. Words(1, 4_096, Image, Image + 0x3000, 0), .. "/opt/tools/spinner-with-a-long-name\0"u8]);
        notes = [notes[0], auxiliary, files, .. notes[1..]];
        byte[] header = new byte[64 + 56];
        "\u007fELF"u8.CopyTo(header);
        header[4] = 2;
        header[5] = 1;
        header[6] = 1;
        BinaryPrimitives.WriteUInt16LittleEndian(header.AsSpan(16), 4);
        BinaryPrimitives.WriteUInt16LittleEndian(header.AsSpan(18), 62);
        BinaryPrimitives.WriteUInt32LittleEndian(header.AsSpan(20), 1);
        BinaryPrimitives.WriteUInt64LittleEndian(header.AsSpan(32), 64);
        BinaryPrimitives.WriteUInt16LittleEndian(header.AsSpan(52), 64);
        BinaryPrimitives.WriteUInt16LittleEndian(header.AsSpan(54), 56);
        BinaryPrimitives.WriteUInt16LittleEndian(header.AsSpan(56), 1);
        BinaryPrimitives.WriteUInt32LittleEndian(header.AsSpan(64), 4);
        BinaryPrimitives.WriteUInt64LittleEndian(header.AsSpan(72), (ulong)header.Length);
        BinaryPrimitives.WriteUInt64LittleEndian(header.AsSpan(96), (ulong)notes.Sum(note => note.Length));
        return [.. header, .. notes.SelectMany(note => note)];
    }
}
