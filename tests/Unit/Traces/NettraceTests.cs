using System.Buffers.Binary;
using System.IO.Compression;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Facts;
using HangTriage.Traces;
using HangTriage.Traces.Nettrace;

namespace HangTriage.Tests.Unit.Traces;

/// <summary>Traces of .NET's own recorder. What they count is compared with a program's own record in tests/EndToEnd.</summary>
public sealed class NettraceTests
{
    private const int CutOff = 2 << 20;

    /// <summary>The process id is in the file's name.</summary>
    [Fact]
    public void A_trace_that_was_cut_off_is_read_up_to_there_and_that_is_said()
    {
        TraceFacts facts = EtlFile.Read(Recorded()[..CutOff]);

        Assert.Equal((TraceKind.Nettrace, 23092u), (facts.Kind, Assert.Single(facts.Processes).Pid));
        Assert.True(facts.Threads.Sum(thread => thread.Samples) > 100);
        Assert.Contains(facts.Gaps, gap => gap is { What: "the rest of the file", IsLoss: true });
        Assert.False(facts.Switches.HasValue);
    }

    [Fact]
    public void Samples_are_counted_by_method_and_said_to_be_of_time()
    {
        TraceFacts facts = EtlFile.Read(Recorded());

        Assert.Equal("dotnet-loader", facts.Processes[0].Name.Value);
        Assert.Contains(facts.Threads.SelectMany(thread => thread.Functions), function => function.Name.StartsWith("VoiceMemo.", StringComparison.Ordinal));
        Assert.Contains(facts.Gaps, gap => gap.What == "processor time");
        Assert.DoesNotContain(facts.Gaps, gap => gap.IsLoss);
    }

    [Theory]
    [InlineData(8)]
    [InlineData(12)]
    [InlineData(40)]
    [InlineData(100)]
    public void A_file_that_holds_no_more_than_its_begin_is_refused_or_empty(int length)
    {
        byte[] file = Recorded()[..length];
        try
        {
            Assert.Empty(EtlFile.Read(file).Events);
        }
        catch (TraceOpenException e)
        {
            Assert.DoesNotContain('\n', e.Message);
        }
    }

    [Fact]
    public void Noise_behind_the_begin_is_refused_with_one_line()
    {
        byte[] noise = new byte[4096];
        new Random(1).NextBytes(noise);

        TraceOpenException e = Assert.Throws<TraceOpenException>(() => EtlFile.Read([.. "Nettrace"u8, .. noise]));

        Assert.StartsWith("a .nettrace file that is damaged", e.Message, StringComparison.Ordinal);
    }

    /// <summary>Numbers that files of an attacker would have, where lengths and counts are.</summary>
    [Fact]
    public void Damage_within_the_first_blocks_is_refused_with_one_line_or_read_up_to_there()
    {
        byte[] whole = Recorded()[..3000];
        uint[] numbers = [0, 16, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF];
        int refused = 0;
        for (int seed = 0; seed < 40; seed++)
        {
            Random random = new(seed);
            byte[] file = [.. whole];
            for (int i = 0; i < 8; i++)
            {
                BinaryPrimitives.WriteUInt32LittleEndian(file.AsSpan(random.Next(8, file.Length - sizeof(uint))), numbers[random.Next(numbers.Length)]);
            }

            try
            {
                EtlFile.Read(file);
            }
            catch (TraceOpenException e)
            {
                Assert.DoesNotContain('\n', e.Message);
                refused++;
            }
        }

        Assert.InRange(refused, 1, 39);
    }

    [Theory]
    [InlineData("/usr/bin/orders --secret x", "orders")]
    [InlineData("\"C:\\Program Files\\shop\\orders.exe\" --secret x", "orders.exe")]
    [InlineData("dotnet web.dll --urls y", "web.dll")]
    [InlineData("/usr/bin/dotnet exec /app/web.dll", "web.dll")]
    [InlineData("dotnet --secret", "dotnet")]
    [InlineData("", null)]
    [InlineData(null, null)]
    public void Of_the_command_line_the_program_alone_is_kept(string? line, string? program)
        => Assert.Equal(program, CommandLine.ProgramOf(line));

    /// <summary>Where a process of Windows and one of Linux record alike, and what the recorder knows of names is less than the capture does.</summary>
    [Theory]
    [InlineData(4242, true)]
    [InlineData(4243, false)]
    public void A_trace_of_dotnet_is_joined_by_the_process_id_on_every_system(uint pid, bool isJoined)
    {
        TraceFacts facts = SyntheticTraceFacts.Of(TimeSpan.FromSeconds(10), pid) with { Kind = TraceKind.Nettrace };
        foreach (SnapshotBuilder builder in new[] { SnapshotBuilder.Windows(), SnapshotBuilder.Linux() })
        {
            Assert.Equal(isJoined, Case.Of(builder.Thread(1, "App.Program.Main").Build()).With("x.nettrace", facts).Trace!.Join.IsJoined);
        }
    }

    private static byte[] Recorded()
    {
        using ZipArchive archive = ZipFile.OpenRead(Repository.Shared("etl", "VoiceMemo.23092.nettrace.zip"));
        using MemoryStream bytes = new();
        using Stream entry = archive.Entries.Single(entry => entry.Name.EndsWith(".nettrace", StringComparison.Ordinal)).Open();
        entry.CopyTo(bytes);
        return bytes.ToArray();
    }
}
