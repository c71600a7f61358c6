using System.IO.Compression;
using System.Text;
using HangTriage.Capture;
using HangTriage.Capture.Targets;
using HangTriage.Facts;

namespace HangTriage.Tests.Capture.Windows;

public sealed class TargetFileTests
{
    private static readonly byte[] s_dump = new DumpBytes().System(build: 12345).Build();

    private static ProcessSnapshot Capture(byte[] bytes, CaptureLimits? limits = null)
    {
        using ScratchFile file = new(bytes);
        return TargetFile.Capture(file.Path, CaptureContext.Default with { Limits = limits ?? CaptureLimits.Default });
    }

    private static string Refusal(byte[] bytes, CaptureLimits? limits = null)
    {
        string message = Assert.Throws<TargetOpenException>(() => Capture(bytes, limits)).Message;
        Assert.DoesNotContain('\n', message);
        return message;
    }

    private static string RefusalOf(string path)
        => Assert.Throws<TargetOpenException>(() => TargetFile.Capture(path, CaptureContext.Default)).Message;

    private static byte[] Gzip(byte[] bytes)
    {
        using MemoryStream packed = new();
        using (GZipStream gzip = new(packed, CompressionMode.Compress))
        {
            gzip.Write(bytes);
        }

        return packed.ToArray();
    }

    private static byte[] Zip(params (string Name, byte[] Bytes)[] entries)
    {
        using MemoryStream packed = new();
        using (ZipArchive zip = new(packed, ZipArchiveMode.Create))
        {
            foreach ((string name, byte[] bytes) in entries)
            {
                using Stream entry = zip.CreateEntry(name).Open();
                entry.Write(bytes);
            }
        }

        return packed.ToArray();
    }

    private static byte[] Facts()
    {
        using MemoryStream facts = new();
        FactsFile.Write(Case.Of(Capture(s_dump)), facts);
        return facts.ToArray();
    }

    [Fact]
    public void A_dump_is_recognised_by_its_content_whatever_wraps_it()
    {
        Assert.Equal(12345u, Capture(s_dump).Target.OsBuild.Value);
        Assert.Equal(12345u, Capture(Gzip(s_dump)).Target.OsBuild.Value);
        Assert.Equal(12345u, Capture(Zip(("folder/", []), ("folder/x", s_dump))).Target.OsBuild.Value);
        Assert.Equal(12345u, Capture(Facts()).Target.OsBuild.Value);
        Assert.Equal(12345u, Capture(Gzip([0xEF, 0xBB, 0xBF, .. Facts()])).Target.OsBuild.Value);
    }

    [Fact]
    public void What_is_unpacked_does_not_stay()
    {
        // Other processes unpack files of theirs meanwhile.
        byte[] own = new DumpBytes().System(build: (ushort)Environment.ProcessId).Build();
        byte[] nothing = Encoding.UTF8.GetBytes($"nothing of {Environment.ProcessId}");
        Capture(Gzip(own));
        Refusal(Gzip(nothing));
        Refusal(Gzip(Gzip(own)));
        Assert.DoesNotContain(
            Directory.GetDirectories(Path.GetTempPath(), "hangtriage-*").SelectMany(FilesOf),
            file => file.AsSpan().SequenceEqual(own) || file.AsSpan().SequenceEqual(nothing) || file.AsSpan().SequenceEqual(Gzip(own)));
    }

    private static IEnumerable<byte[]> FilesOf(string folder)
    {
        try
        {
            return [.. Directory.GetFiles(folder).Select(File.ReadAllBytes)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    [Fact]
    public void A_dump_that_is_compressed_twice_is_refused()
    {
        Assert.Equal("the file is compressed twice; unpack it once", Refusal(Gzip(Gzip(s_dump))));
        Assert.Equal("the file is compressed twice; unpack it once", Refusal(Zip(("a", Gzip(s_dump)))));
    }

    [Fact]
    public void A_zip_of_more_or_less_than_one_file_is_refused()
    {
        Assert.Equal("the zip archive holds 2 files, expected exactly one", Refusal(Zip(("a", s_dump), ("b", s_dump))));
        Assert.Equal("an empty zip archive", Refusal(Zip()));
    }

    [Fact]
    public void A_compressed_file_may_not_unpack_beyond_the_limit()
    {
        CaptureLimits limits = CaptureLimits.Default with { UnpackedBytes = 1 << 20 };
        Assert.Equal("the file unpacks to more than the limit of 1048576 bytes", Refusal(Gzip(new byte[(1 << 20) + 1]), limits));
        Assert.Equal("the file unpacks to more than the limit of 1048576 bytes", Refusal(Zip(("a", new byte[(1 << 20) + 1])), limits));
    }

    [Fact]
    public void A_damaged_compressed_file_is_refused()
    {
        byte[] gzip = Gzip(s_dump);
        gzip.AsSpan(10, 20).Fill(0xFF);
        Assert.Equal("the gzip file is damaged or cut off", Refusal(gzip));
        Assert.StartsWith("the zip archive is damaged", Refusal(Zip(("a", s_dump))[..60]), StringComparison.Ordinal);
    }

    [Fact]
    public void A_gzip_file_that_was_cut_off_is_read_as_far_as_it_goes_and_says_so()
    {
        byte[] random = new byte[100_000];
        new Random(1).NextBytes(random);
        byte[] gzip = Gzip([.. s_dump, .. random]);
        Assert.DoesNotContain(Capture(gzip).Gaps, g => g.What == "compressed file");
        Assert.Contains(Capture(gzip[..(gzip.Length / 2)]).Gaps, g => g.What == "compressed file");
    }

    [Fact]
    public void A_path_that_is_no_readable_file_is_refused()
    {
        Assert.Equal("there is no such file", RefusalOf(Path.Combine(Path.GetTempPath(), "no-such-file")));
        Assert.Equal("there is no such file", RefusalOf(Path.Combine(Path.GetTempPath(), "no-such-folder", "x")));
        Assert.Equal("this is a folder, not a file", RefusalOf(Path.GetTempPath()));
        Assert.Equal("this is not the path of a file", RefusalOf(""));
        Assert.Equal("this is not the path of a file", RefusalOf("a\0b"));
        Assert.Equal("the file is empty", Refusal([]));
    }

    [Theory]
    [InlineData("PAGEDU64", "a kernel dump; hangs of a single process need a dump of that process")]
    [InlineData("PAGEDUMP", "a kernel dump; hangs of a single process need a dump of that process")]
    [InlineData("Nettrace\u0014", "a trace (.nettrace), not a dump")]
    [InlineData("just some words\r\n", "a text file, not a dump")]
    [InlineData("x -----BEGIN BREAKPAD MICRODUMP-----", "a Breakpad microdump (text), not a dump of a Windows process")]
    [InlineData("MZ\u0001", "a Windows program, not a dump")]
    [InlineData("\u0001\u0002", "not a dump of a known kind: it starts with 01 02")]
    [InlineData("{ \"a\": 1 }", "not a facts file: it states no schema")]
    [InlineData("\u007FELF", "a Linux program or library (ELF), not a core")]
    public void Other_files_are_refused_by_what_they_are(string start, string expected)
        => Assert.Equal(expected, Refusal(Encoding.Latin1.GetBytes(start)));

    [Fact]
    public void A_trace_of_Windows_is_told_from_a_dump()
    {
        byte[] etl = new byte[0x1000];
        etl[1] = 0x10;
        etl[0x36] = 4;
        etl[0x4B] = 0xC0;
        Assert.Equal("a trace (.etl), not a dump", Refusal(etl));
    }

    [Fact]
    public void Facts_of_another_schema_are_refused()
        => Assert.Equal(
            "facts of schema 99; this version reads schemas 1 and 2",
            Refusal(Encoding.UTF8.GetBytes(Encoding.UTF8.GetString(Facts()).Replace("\"schema\": 2", "\"schema\": 99", StringComparison.Ordinal))));

    [Fact]
    public void A_facts_file_without_bound_is_refused_unread()
    {
        using ScratchFile file = new("{ \"schema\": 2"u8.ToArray());
        using (FileStream stream = File.OpenWrite(file.Path))
        {
            stream.SetLength((1L << 29) + 1);
        }

        Assert.Equal("not a facts file: it is larger than 512 MB", RefusalOf(file.Path));
    }

    [Fact]
    public void A_file_that_may_not_be_read_is_refused()
    {
        if (OperatingSystem.IsWindows() || Environment.IsPrivilegedProcess)
        {
            return; // nothing is closed to this user
        }

        using ScratchFile file = new(s_dump);
        File.SetUnixFileMode(file.Path, UnixFileMode.None);
        Assert.Equal("the file may not be read (access denied)", RefusalOf(file.Path));
    }
}
