using System.Buffers.Binary;
using HangTriage.Capture;
using HangTriage.Capture.Linux.Snapshots;
using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Waiting;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>A core that is cut off or lies ends in one line for the user, or in gaps; in bounded processor time either way.</summary>
public sealed class HostileCoreTests
{
    private const int HeaderSize = 64;
    private const int ProgramHeaderSize = 56;

    private static readonly TimeSpan s_bound = TimeSpan.FromSeconds(15);

    public static TheoryData<int> Cuts => [0, 1, 4, 15, 16, 40, 63, 64, 65, 1_000, 12_000, 20_000, 29_000];

    [Theory]
    [MemberData(nameof(Cuts))]
    public async Task A_core_that_ends_before_its_memory_does_not_open(int length)
    {
        byte[] core = await MiniAsync();

        Assert.NotNull(Read(core[..length]).Refusal);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(4)]
    [InlineData(6)]
    [InlineData(7)]
    public async Task A_core_that_ends_within_its_memory_says_so(int eighths)
    {
        byte[] core = await MiniAsync();

        (ProcessSnapshot? snapshot, string? refusal) = Read(core[..(core.Length * eighths / 8)]);
        Assert.True(refusal is not null || snapshot!.Gaps.Any(gap => gap.What == "memory"));
    }

    [Theory]
    [InlineData(0, 16)]
    [InlineData(16, HeaderSize - 16)]
    [InlineData(0, HeaderSize)]
    [InlineData(HeaderSize, 4_096)]
    [InlineData(0, 16_384)]
    public async Task Headers_of_zeros_do_not_open(int start, int count)
    {
        byte[] core = await MiniAsync();
        core.AsSpan(start, count).Clear();

        Assert.NotNull(Read(core).Refusal);
    }

    [Theory]
    [InlineData(56, 0xFFFF)]
    [InlineData(56, 0xFFF0)]
    [InlineData(16, 3)]
    [InlineData(4, 9)]
    [InlineData(5, 2)]
    [InlineData(34, 0xFFFF)]
    public async Task An_absurd_field_of_the_header_does_not_open(int offset, int value)
    {
        byte[] core = await MiniAsync();
        if (offset is 4 or 5)
        {
            core[offset] = (byte)value;
        }
        else
        {
            BinaryPrimitives.WriteUInt16LittleEndian(core.AsSpan(offset), (ushort)value);
        }

        Assert.NotNull(Read(core).Refusal);
    }

    [Theory]
    [InlineData(0, uint.MaxValue)]
    [InlineData(4, uint.MaxValue)]
    [InlineData(4, 0x7FFF_FFF0u)]
    [InlineData(8, 77u)]
    public async Task An_absurd_first_note_ends_in_a_refusal_or_in_gaps(int offset, uint value)
    {
        byte[] core = await MiniAsync();
        BinaryPrimitives.WriteUInt32LittleEndian(core.AsSpan(NotesOf(core) + offset), value);

        (ProcessSnapshot? snapshot, string? refusal) = Read(core);
        Assert.True(refusal is not null || !snapshot!.Target.Pid.HasValue);
    }

    [Fact]
    public async Task A_thread_status_beyond_the_file_ends_in_gaps_and_not_in_the_end_of_this_process()
    {
        byte[] core = await MiniAsync();
        // The header of a note: an owner of 5 bytes, 336 bytes of contents, type 1 (a thread's status).
        int status = core.AsSpan(NotesOf(core)).IndexOf((byte[])[5, 0, 0, 0, 0x50, 1, 0, 0, 1, 0, 0, 0]);
        Assert.True(status > 0);
        BinaryPrimitives.WriteUInt32LittleEndian(core.AsSpan(NotesOf(core) + status), 0x7FFF_FFF0);

        (ProcessSnapshot? snapshot, string? refusal) = Read(core);
        Assert.True(refusal is not null || (snapshot!.Managed is { HasValue: false } && !snapshot.Threads.HasValue));
    }

    [Fact]
    public async Task A_file_table_with_an_absurd_count_is_a_gap_for_the_modules()
    {
        byte[] core = await MiniAsync();
        int note = core.AsSpan(NotesOf(core)).IndexOf("ELIF"u8);
        Assert.True(note > 0);
        // The contents follow the type, whose letters these are back to front, and its owner, "CORE" and a zero, padded to 8.
        BinaryPrimitives.WriteUInt64LittleEndian(core.AsSpan(NotesOf(core) + note + 4 + 8), ulong.MaxValue);

        (ProcessSnapshot? snapshot, string? refusal) = Read(core);
        Assert.True(refusal is not null || (!snapshot!.Modules.HasValue && !snapshot.Target.Runtimes.HasValue && snapshot.Managed is { HasValue: false }));
    }

    [Fact]
    public async Task A_segment_larger_than_the_file_is_a_gap()
    {
        byte[] core = await MiniAsync();
        Assert.Equal(1u, BinaryPrimitives.ReadUInt32LittleEndian(core.AsSpan(HeaderSize + (ProgramHeaderSize * 2))));
        BinaryPrimitives.WriteUInt64LittleEndian(core.AsSpan(HeaderSize + (ProgramHeaderSize * 2) + 32), 1UL << 60);

        (ProcessSnapshot? snapshot, string? refusal) = Read(core);
        Assert.True(refusal is not null || snapshot!.Gaps.Any(gap => gap.What == "memory"));
    }

    [Fact]
    public void A_file_that_is_not_there_is_refused_in_one_line()
    {
        TargetOpenException refusal = Assert.Throws<TargetOpenException>(
            () => LinuxCoreCapture.Read(Path.Combine(Path.GetTempPath(), "no-such-core"), CaptureContext.Default));

        Assert.DoesNotContain('\n', refusal.Message);
    }

    /// <summary>What the capture makes of these bytes: a snapshot, or one line.</summary>
    private static (ProcessSnapshot? Snapshot, string? Refusal) Read(byte[] core)
    {
        string path = Path.GetTempFileName();
        OwnTime time = OwnTime.Start();
        try
        {
            File.WriteAllBytes(path, core);
            return (LinuxCoreCapture.Read(path, CaptureContext.Default), null);
        }
        catch (TargetOpenException e)
        {
            Assert.DoesNotContain('\n', e.Message);
            return (null, e.Message);
        }
        finally
        {
            Assert.InRange(time.Elapsed, TimeSpan.Zero, s_bound);
            File.Delete(path);
        }
    }

    private static async Task<byte[]> MiniAsync()
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", TargetFramework.Net10, DumpType.Normal);
        return await File.ReadAllBytesAsync(process.CorePath, TestContext.Current.CancellationToken);
    }

    /// <summary>Where the notes start: the offset in the first program header, which a core's writer uses for them.</summary>
    private static int NotesOf(byte[] core)
    {
        Assert.Equal(4u, BinaryPrimitives.ReadUInt32LittleEndian(core.AsSpan(HeaderSize)));
        return (int)BinaryPrimitives.ReadUInt64LittleEndian(core.AsSpan(HeaderSize + 8));
    }
}
