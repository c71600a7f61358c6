using System.Formats.Tar;
using System.IO.Compression;
using System.Text;
using HangTriage.Capture;
using HangTriage.Capture.Targets;
using HangTriage.Facts;

namespace HangTriage.Tests.Capture.Windows;

/// <summary>A dump in a tar archive, and in a file that a program of the system unpacks.</summary>
public sealed class ArchiveTests
{
    private static readonly byte[] s_dump = new DumpBytes().System(build: 12345).Build();

    [Theory]
    [InlineData(TarEntryFormat.V7)]
    [InlineData(TarEntryFormat.Ustar)]
    [InlineData(TarEntryFormat.Gnu)]
    [InlineData(TarEntryFormat.Pax)]
    public void A_dump_in_a_tar_archive_is_read_whatever_it_is_called(TarEntryFormat format)
    {
        foreach (string name in new[] { "x.dmp", "folder/x", "MDMP", "../../outside", "/tmp/outside", "BZh" })
        {
            byte[] tar = Tar(format, (name, s_dump));
            Assert.Equal(12345u, Capture(tar).Target.OsBuild.Value);
            Assert.Equal(12345u, Capture(Gzip(tar)).Target.OsBuild.Value);
            Assert.True(TargetFile.IsPacked(tar));
        }
    }

    [Fact]
    public void Folders_and_links_in_an_archive_are_passed_over()
    {
        using MemoryStream tar = new();
        using (TarWriter writer = new(tar, TarEntryFormat.Pax, leaveOpen: true))
        {
            writer.WriteEntry(new PaxGlobalExtendedAttributesTarEntry(new Dictionary<string, string> { ["comment"] = "of git" }));
            writer.WriteEntry(new PaxTarEntry(TarEntryType.Directory, "folder/"));
            writer.WriteEntry(new PaxTarEntry(TarEntryType.SymbolicLink, "latest") { LinkName = "/etc/passwd" });
            writer.WriteEntry(new PaxTarEntry(TarEntryType.HardLink, "other") { LinkName = "/etc/passwd" });
            writer.WriteEntry(new PaxTarEntry(TarEntryType.Fifo, "pipe"));
            writer.WriteEntry(new PaxTarEntry(TarEntryType.RegularFile, "folder/x.dmp") { DataStream = new MemoryStream(s_dump) });
        }

        Assert.Equal(12345u, Capture(tar.ToArray()).Target.OsBuild.Value);
    }

    [Fact]
    public void An_archive_of_more_or_less_than_one_file_is_refused()
    {
        const string Several = "the tar archive holds more than one file, expected exactly one";
        Assert.Equal(Several, Refusal(Tar(TarEntryFormat.Pax, ("a", s_dump), ("b", s_dump))));
        Assert.Equal(Several, Refusal(Gzip(Tar(TarEntryFormat.Gnu, ("a", s_dump), ("b", [])))));
        Assert.Equal("the tar archive holds no file, expected exactly one", Refusal(Tar(TarEntryFormat.Ustar, ("folder/", null))));
    }

    [Fact]
    public void What_is_no_dump_in_an_archive_is_refused()
    {
        const string Twice = "the file is compressed twice; unpack it once";
        Assert.Equal("in the compressed file: a text file, not a dump", Refusal(Tar(TarEntryFormat.Ustar, ("a", "words"u8.ToArray()))));
        Assert.Equal(Twice, Refusal(Tar(TarEntryFormat.Ustar, ("a", Gzip(s_dump)))));
        Assert.Equal(Twice, Refusal(Tar(TarEntryFormat.Ustar, ("a", Tar(TarEntryFormat.Pax, ("b", s_dump))))));
    }

    [Fact]
    public void A_sparse_file_in_an_archive_is_refused()
    {
        using MemoryStream tar = new();
        using (TarWriter writer = new(tar, TarEntryFormat.Pax, leaveOpen: true))
        {
            Dictionary<string, string> sparse = new() { ["GNU.sparse.major"] = "1" };
            writer.WriteEntry(new PaxTarEntry(TarEntryType.RegularFile, "core", sparse) { DataStream = new MemoryStream(s_dump) });
        }

        Assert.Equal("the tar archive holds a sparse file, which only tar unpacks; unpack it first", Refusal(tar.ToArray()));
    }

    [Fact]
    public void A_file_in_an_archive_may_not_unpack_beyond_the_limit()
    {
        CaptureLimits limits = CaptureLimits.Default with { UnpackedBytes = 1 << 20 };
        byte[] tar = Tar(TarEntryFormat.Ustar, ("a", new byte[(1 << 20) + 1]));
        Assert.Equal("the file unpacks to more than the limit of 1048576 bytes", Refusal(tar, limits));
        Assert.Equal("the file unpacks to more than the limit of 1048576 bytes", Refusal(Gzip(tar), limits));
    }

    /// <summary>The length of the attributes before a file is the archive's own claim, too.</summary>
    [Theory]
    [InlineData("10000000000")]
    [InlineData("17777777777")]
    public void A_header_without_bound_is_refused_unread(string size)
    {
        byte[] tar = Tar(TarEntryFormat.Pax, ("a", s_dump));
        Encoding.ASCII.GetBytes(size + "\0").CopyTo(tar, 124);
        Sign(tar);
        Assert.Equal("the tar archive is damaged or cut off", Refusal([.. tar, .. new byte[4 << 20]]));
    }

    [Fact]
    public void An_archive_that_was_cut_off_is_read_as_far_as_it_goes_and_says_so()
    {
        byte[] random = new byte[100_000];
        new Random(1).NextBytes(random);
        byte[] tar = Tar(TarEntryFormat.Ustar, ("a", [.. s_dump, .. random]));
        Assert.DoesNotContain(Capture(tar).Gaps, gap => gap.What == "compressed file");
        Assert.Contains(Capture(tar[..(tar.Length / 2)]).Gaps, gap => gap.What == "compressed file");
        byte[] gzip = Gzip(tar);
        Assert.DoesNotContain(Capture(gzip).Gaps, gap => gap.What == "compressed file");
        Assert.Contains(Capture(gzip[..(gzip.Length / 2)]).Gaps, gap => gap.What == "compressed file");
    }

    [Fact]
    public void A_damaged_archive_is_refused_or_read_and_nothing_else()
    {
        Random random = new(7);
        byte[] tar = Tar(TarEntryFormat.Pax, ("a/b", s_dump));
        for (int i = 0; i < 1_000; i++)
        {
            byte[] damaged = [.. tar];
            for (int j = 0; j < 8; j++)
            {
                damaged[random.Next(3 * 512)] = (byte)random.Next(256);
            }

            if (Record.Exception(() => Capture(damaged)) is { } e)
            {
                Assert.IsType<TargetOpenException>(e);
            }
        }
    }

    [Fact]
    public void Without_the_program_that_unpacks_it_the_command_is_named()
    {
        foreach (FileContent format in new[] { FileContent.Zstd, FileContent.Xz, FileContent.Lz4 })
        {
            string name = format.ToString().ToLowerInvariant();
            Exception e = Assert.Throws<TargetOpenException>(() => UnpackingProgram.Start(format, Stream.Null, "my core", ["/nowhere"]));
            Assert.StartsWith($"compressed with {name}, which ", e.Message, StringComparison.Ordinal);
            Assert.EndsWith($"{name} -d $'my\\040core'", e.Message, StringComparison.Ordinal);
        }
    }

    /// <summary>Start bytes of each format, and nothing that can be unpacked behind them.</summary>
    [Theory]
    [InlineData("28B52FFD00000000", "zstd")]
    [InlineData("FD377A585A00000000", "xz")]
    [InlineData("04224D1800000000", "lz4")]
    public void What_a_program_cannot_unpack_is_refused(string start, string program)
        => Assert.Matches($"^({program} cannot unpack the file: .*|compressed with {program}, .*)$", Refusal(Convert.FromHexString(start)));

    private static ProcessSnapshot Capture(byte[] bytes, CaptureLimits? limits = null)
    {
        using ScratchFile file = new(bytes);
        return TargetFile.Capture(file.Path, CaptureContext.Default with { Limits = limits ?? CaptureLimits.Default });
    }

    private static string Refusal(byte[] bytes, CaptureLimits? limits = null)
        => Assert.Throws<TargetOpenException>(() => Capture(bytes, limits)).Message;

    private static byte[] Gzip(byte[] bytes)
    {
        using MemoryStream packed = new();
        using (GZipStream gzip = new(packed, CompressionMode.Compress))
        {
            gzip.Write(bytes);
        }

        return packed.ToArray();
    }

    /// <summary>An entry without bytes is a folder.</summary>
    private static byte[] Tar(TarEntryFormat format, params (string Name, byte[]? Bytes)[] entries)
    {
        using MemoryStream tar = new();
        using (TarWriter writer = new(tar, format, leaveOpen: true))
        {
            foreach ((string name, byte[]? bytes) in entries)
            {
                TarEntryType type = bytes is null ? TarEntryType.Directory
                    : format == TarEntryFormat.V7 ? TarEntryType.V7RegularFile
                    : TarEntryType.RegularFile;
                TarEntry entry = format switch
                {
                    TarEntryFormat.V7 => new V7TarEntry(type, name),
                    TarEntryFormat.Ustar => new UstarTarEntry(type, name),
                    TarEntryFormat.Gnu => new GnuTarEntry(type, name),
                    _ => new PaxTarEntry(type, name),
                };
                if (bytes is not null)
                {
                    entry.DataStream = new MemoryStream(bytes);
                }

                writer.WriteEntry(entry);
            }
        }

        return tar.ToArray();
    }

    // The sum of the header's bytes, with spaces for itself.
    private static void Sign(byte[] tar)
    {
        tar.AsSpan(148, 8).Fill((byte)' ');
        int sum = tar.AsSpan(0, 512).ToArray().Sum(value => value);
        Encoding.ASCII.GetBytes(Convert.ToString(sum, 8).PadLeft(6, '0') + "\0 ").CopyTo(tar, 148);
    }
}
