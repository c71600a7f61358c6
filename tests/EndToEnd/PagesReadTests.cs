using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Losses;

namespace HangTriage.Tests.EndToEnd;

/// <summary>Which pages of a file are read, as the tests of losses learn it.</summary>
public sealed class PagesReadTests
{
    // Further than any system reads ahead by itself.
    private const int Pages = 16_384;
    private const int Attempts = 20;

    [Fact]
    public void What_is_read_counts_and_what_lies_far_from_it_does_not()
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("the kernel's pages of a file are looked at on Linux");
        }

        using TemporaryFolder folder = new();
        int page = Environment.SystemPageSize;
        File.WriteAllBytes(folder["file"], new byte[Pages * page]);

        PagesRead? read = PagesRead.By(() => ReadOne(folder["file"], Pages / 2 * page), folder["file"]);
        if (read is null)
        {
            Skip.OnThisMachine("the temporary folder lies in memory");
        }

        // A kernel that is short of memory takes the page back at once; it does not do so each time.
        for (int again = 0; again < Attempts && !read.Any(Pages / 2 * page, 1); again++)
        {
            read = read.With(PagesRead.By(() => ReadOne(folder["file"], Pages / 2 * page), folder["file"]));
        }

        Assert.True(read.Any((Pages / 2 * page) + 7, 1));
        Assert.True(read.Any(0, (Pages / 2 * page) + 1));
        Assert.False(read.Any(0, page));
        Assert.False(read.Any((Pages - 1) * page, page));
    }

    private static void ReadOne(string path, long at)
    {
        using FileStream file = File.OpenRead(path);
        file.Position = at;
        Assert.Equal(0, file.ReadByte());
    }
}
