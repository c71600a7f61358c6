using System.IO.Compression;
using System.Text;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.EndToEnd;

/// <summary>The dump that the README starts with: what it must be judged as, and what must not be in it.</summary>
public sealed class PublishedDumpTests
{
    private const int LongestCompressed = 8 * 1024 * 1024;

    // Where a process is at home on the machines that such dumps are made on. The Wine of Debian lies in /usr.
    private static readonly string[] s_places =
    [
        "/root", "/home/", "/work/", "/tmp/.wine", "/var/tmp", "\\root\\", "\\home\\", "\\work\\", "artifacts", ".nuget", "HangTriage", "hangtriage",
        "/.cache", "/.local", "@gmail", "ssh-", "BEGIN RSA", "AKIA", "eyJhbGciOi", "PASSWORD=",
    ];

    private static readonly string s_path = Repository.Sample("LoaderLockSpin", "hang.dmp.gz");

    [Fact]
    public void The_command_of_the_README_names_the_spinner()
    {
        ToolRun run = Tool.Run("analyze", s_path);

        Assert.Equal(1, run.ExitCode);
        Assert.Contains("SPINNING OWNER, likely", run.Out, StringComparison.Ordinal);
        Assert.Contains("spin!spin_until_released", run.Out, StringComparison.Ordinal);
        Assert.Contains("thread 4 (0x", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public void It_is_small_enough_to_be_cloned_by_everyone()
        => Assert.InRange(new FileInfo(s_path).Length, 1, LongestCompressed);

    [Fact]
    public void It_carries_nothing_of_the_machine_that_made_it()
    {
        byte[] dump = Unpack();

        IEnumerable<string> found = s_places.Concat(OfThisMachine()).Distinct().Where(term => Holds(dump, term));

        Assert.Empty(found);
    }

    [Fact]
    public void The_search_finds_what_is_there_in_both_encodings()
    {
        byte[] dump = Unpack();

        Assert.True(Holds(dump, "LoaderLockSpin.exe"));
        Assert.True(Holds(dump, "spin_until_released"));
        Assert.True(Holds(dump, "exiting"));
    }

    /// <summary>What a dump made here without care would carry: host, user, home, and what the environment says.</summary>
    private static IEnumerable<string> OfThisMachine()
    {
        string[] names = [Environment.MachineName, Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), Repository.Root];
        IEnumerable<string> values = Environment.GetEnvironmentVariables().Values.Cast<string>().SelectMany(value => value.Split(Path.PathSeparator));
        return names.Concat(values).Where(IsTelling);
    }

    // Short and plain words stand in any program.
    private static bool IsTelling(string term)
        => term.Length >= 6
            && !term.StartsWith("/usr", StringComparison.Ordinal)
            && !term.StartsWith("/bin", StringComparison.Ordinal)
            && !term.StartsWith("/sbin", StringComparison.Ordinal)
            && (term.Any(char.IsDigit) || term.Contains('/', StringComparison.Ordinal) || term.Contains('@', StringComparison.Ordinal))
            && !term.All(char.IsDigit)
            && term is not ("C.UTF-8" or "en_US.UTF-8" or "http://" or "https://");

    private static bool Holds(ReadOnlySpan<byte> dump, string term)
        => dump.IndexOf(Encoding.UTF8.GetBytes(term)) >= 0 || dump.IndexOf(Encoding.Unicode.GetBytes(term)) >= 0;

    private static byte[] Unpack()
    {
        using GZipStream gzip = new(File.OpenRead(s_path), CompressionMode.Decompress);
        using MemoryStream unpacked = new();
        gzip.CopyTo(unpacked);
        return unpacked.ToArray();
    }
}
