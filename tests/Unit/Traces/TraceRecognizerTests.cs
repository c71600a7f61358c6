using System.IO.Compression;
using HangTriage.Tests.Support;
using HangTriage.Traces;

namespace HangTriage.Tests.Unit.Traces;

public sealed class TraceRecognizerTests
{
    [Theory]
    [InlineData("net.4.5.2.x64.etl.zip", TraceFormat.Etl)]
    [InlineData("net.4.5.x86-plain.etl.zip", TraceFormat.Etl)]
    [InlineData("VoiceMemo.23092.nettrace.zip", TraceFormat.Nettrace)]
    public void Real_traces_are_recognised_by_their_content(string name, TraceFormat expected)
    {
        string path = Repository.Shared("etl", name);
        using ZipArchive archive = ZipFile.OpenRead(path);
        using Stream stream = archive.Entries.Single(entry => entry.Name.EndsWith(".etl", StringComparison.Ordinal) || entry.Name.EndsWith(".nettrace", StringComparison.Ordinal)).Open();
        byte[] head = new byte[TraceRecognizer.HeadLength];
        stream.ReadExactly(head);

        Assert.Equal(expected, TraceRecognizer.Recognize(head));
    }

    [Fact]
    public void Dumps_and_short_files_are_no_traces()
    {
        foreach (string dump in Directory.GetFiles(Repository.Shared("dumps")))
        {
            Assert.Null(TraceRecognizer.Recognize(File.ReadAllBytes(dump).AsSpan(0, TraceRecognizer.HeadLength)));
        }

        Assert.Null(TraceRecognizer.Recognize([]));
        Assert.Null(TraceRecognizer.Recognize(new byte[TraceRecognizer.HeadLength]));
    }
}
