using System.Diagnostics;
using HangTriage.Capture;
using HangTriage.Capture.Targets;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Http;
using HangTriage.Tests.Support.Synthetic;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.Capture.Symbols;

/// <summary>A symbol store on loopback that is honest, empty, slow, or lies.</summary>
public sealed class SymbolServerTests : IDisposable
{
    private static readonly CaptureLimits s_patient = CaptureLimits.Default;

    // A file may take ten minutes here: who waits for its end instead of for a sign of life is found out also on a busy machine.
    private static readonly CaptureLimits s_impatient = CaptureLimits.Default with { SymbolServerSilence = TimeSpan.FromSeconds(2), SymbolDownload = TimeSpan.FromMinutes(10) };

    private readonly TemporaryFolder _folder = new();
    private readonly SmallDump _small = SmallDump.Create();
    private readonly Dictionary<string, byte[]> _store = [];
    private readonly string _dump;

    public SymbolServerTests()
    {
        _dump = _folder["small.dmp"];
        File.WriteAllBytes(_dump, _small.Dump());
        foreach (SyntheticImage image in _small.Process.Images)
        {
            SyntheticModule module = image.ToModule();
            _store[$"/{image.Name}/{module.TimeDateStamp:X8}{module.Size:x}/{image.Name}"] = image.ToFile();
        }

        _store[$"/app.pdb/{SmallDump.PdbSignature.ToString("N").ToUpperInvariant()}1/app.pdb"] = _small.Pdb().Build();
    }

    private string Cache => _folder["cache"];

    private IEnumerable<string> CachedFiles
        => Directory.Exists(Cache) ? Directory.EnumerateFiles(Cache, "*", SearchOption.AllDirectories).Select(file => '/' + Path.GetRelativePath(Cache, file).Replace('\\', '/')) : [];

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void What_is_needed_is_downloaded_once_and_then_comes_from_the_cache()
    {
        string address;
        using (SymbolWebServer server = new(Honest))
        {
            address = server.Address;
            ProcessSnapshot first = Capture(address, s_patient);
            Assert.Contains("app.exe!hidden", SmallDumpTests.Names(first));
            Assert.Null(first.Threads.Value[0].Stack.Stopped);
            Assert.Equal(server.Requests.Distinct(), server.Requests);
            Assert.Equal(_store.Keys.Order(), CachedFiles.Order());
        }

        ProcessSnapshot offline = Capture(address, s_patient);
        Assert.Contains("app.exe!hidden", SmallDumpTests.Names(offline));
        Assert.Null(offline.Threads.Value[0].Stack.Stopped);
    }

    [Fact]
    public void A_server_is_asked_for_nothing_that_is_in_a_folder()
    {
        _small.WriteAll(_folder.Folder);
        using SymbolWebServer server = new(Honest);
        ProcessSnapshot snapshot = SmallDumpTests.Capture(_dump, $"{_folder.Folder};srv*{Cache}*{server.Address}");
        Assert.Contains("app.exe!hidden", SmallDumpTests.Names(snapshot));
        Assert.All(server.Requests, path => Assert.StartsWith("/ntdll.pdb/", path, StringComparison.Ordinal));
    }

    [Fact]
    public void What_a_server_does_not_have_is_a_gap_of_the_file_and_not_of_the_server()
    {
        using SymbolWebServer server = new(_ => SymbolWebAnswer.NotFound);
        ProcessSnapshot snapshot = Capture(server.Address, s_patient);
        Assert.Contains("ntdll.dll", Assert.Single(snapshot.Gaps, gap => gap.What == "image files").Why, StringComparison.Ordinal);
        Assert.DoesNotContain(snapshot.Gaps, gap => gap.What.StartsWith("symbol server", StringComparison.Ordinal));
        Assert.Empty(Directory.Exists(Cache) ? Directory.EnumerateFileSystemEntries(Cache) : []);
    }

    [Fact]
    public void A_server_that_keeps_silent_is_given_up_once()
    {
        using SymbolWebServer server = new(_ => SymbolWebAnswer.Silence);
        Stopwatch time = Stopwatch.StartNew();
        AssertFails(server, "did not answer in time", s_impatient);
        Assert.Single(server.Requests);
        Assert.True(time.Elapsed < s_impatient.SymbolDownload, time.Elapsed.ToString());
    }

    [Fact]
    public void A_server_that_falls_silent_within_a_file_is_given_up()
    {
        using SymbolWebServer server = new(path => SymbolWebAnswer.File(_store[path][..1000], _store[path].Length) with { ThenSilent = true });
        Stopwatch time = Stopwatch.StartNew();
        AssertFails(server, "did not answer in time", s_impatient);
        Assert.True(time.Elapsed < s_impatient.SymbolDownload, time.Elapsed.ToString());
    }

    [Fact]
    public void A_server_that_never_ends_a_file_is_stopped_by_the_time_for_a_file()
    {
        using SymbolWebServer server = new(path => SymbolWebAnswer.File(_store[path][..1000], _store[path].Length) with { ThenSilent = true });

        // On a busy machine the request itself can take longer than that: then it is given more.
        TimeSpan time = TimeSpan.FromMilliseconds(200);
        for (; time < s_patient.SymbolServerSilence && server.Requests.Count == 0; time *= 2)
        {
            AssertFails(Capture(server.Address, s_patient with { SymbolDownload = time }), "did not answer in time");
        }

        Assert.NotEmpty(server.Requests);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_file_beyond_the_limit_is_refused_whether_its_length_is_stated_or_not(bool isStated)
    {
        using SymbolWebServer server = new(path => isStated ? SymbolWebAnswer.File(_store[path], 1L << 50) : SymbolWebAnswer.Endless(_store[path]));
        AssertFails(server, isStated ? $"has {1L << 50} bytes" : "has more bytes than the limit of 4096", s_patient with { SymbolFileBytes = 4096 });
    }

    [Fact]
    public void A_server_that_promises_more_than_it_sends_leaves_nothing_behind()
    {
        using SymbolWebServer server = new(path => SymbolWebAnswer.File(_store[path], _store[path].Length + 1));
        AssertFails(server, "broke off", s_patient);
    }

    [Fact]
    public void A_server_that_sends_less_than_the_whole_file_and_says_so_leaves_nothing_behind()
    {
        using SymbolWebServer server = new(path => SymbolWebAnswer.File("<html>Please log in</html>"u8.ToArray()));
        ProcessSnapshot snapshot = Capture(server.Address, s_patient);
        Assert.Contains("no image", Assert.Single(snapshot.Gaps, gap => gap.What == "image file of ntdll.dll").Why, StringComparison.Ordinal);
        Assert.Empty(CachedFiles);
    }

    [Fact]
    public void A_damaged_file_in_the_cache_is_replaced()
    {
        using SymbolWebServer server = new(Honest);
        Capture(server.Address, s_patient);
        string damaged = Directory.EnumerateFiles(Cache, "app.exe", SearchOption.AllDirectories).Single();
        File.WriteAllBytes(damaged, [1, 2, 3]);
        Assert.Contains("app.exe!hidden", SmallDumpTests.Names(Capture(server.Address, s_patient)));
        Assert.True(new FileInfo(damaged).Length > 1000);
    }

    [Theory]
    [InlineData("https://127.0.0.1/else")]
    [InlineData("file:///etc/passwd")]
    [InlineData("ftp://127.0.0.1/else")]
    public void A_redirect_to_another_scheme_is_not_followed(string target)
    {
        using SymbolWebServer server = new(_ => SymbolWebAnswer.Redirect(target));
        AssertFails(server, "not followed", s_patient);
    }

    [Fact]
    public void A_redirect_within_the_scheme_is_followed_some_times()
    {
        using SymbolWebServer server = new(path => path.StartsWith("/moved", StringComparison.Ordinal)
            ? Honest(path["/moved".Length..])
            : SymbolWebAnswer.Redirect("/moved" + path));
        Assert.Contains("app.exe!hidden", SmallDumpTests.Names(Capture(server.Address, s_patient)));

        using SymbolWebServer circle = new(path => SymbolWebAnswer.Redirect(path));
        Directory.Delete(Cache, recursive: true);
        AssertFails(circle, "redirects more than", s_patient);
    }

    [Fact]
    public void A_server_that_answers_with_errors_is_given_up()
    {
        using SymbolWebServer server = new(_ => SymbolWebAnswer.Text("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"));
        AssertFails(server, "status 503", s_patient);
        Assert.InRange(server.Requests.Count, 1, 3);
    }

    [Fact]
    public void A_server_that_speaks_no_HTTP_is_given_up()
    {
        using SymbolWebServer server = new(_ => SymbolWebAnswer.Text("220 ready\r\n\r\n"));
        AssertFails(server, "", s_patient);
    }

    [Fact]
    public void A_server_that_is_not_there_is_a_gap()
    {
        string address;
        using (SymbolWebServer server = new(Honest))
        {
            address = server.Address;
        }

        Assert.Contains(Capture(address, s_patient).Gaps, gap => gap.What == "symbol server 127.0.0.1" && gap.Why.Contains("cannot be reached", StringComparison.Ordinal));
    }

    [Fact]
    public void A_cache_that_cannot_be_written_is_a_gap()
    {
        File.WriteAllBytes(Cache, []);
        using SymbolWebServer server = new(Honest);
        Assert.Contains(Capture(server.Address, s_patient).Gaps, gap => gap.Why.Contains("cannot be kept", StringComparison.Ordinal));
    }

    [Fact]
    public void A_download_can_be_stopped()
    {
        using CancellationTokenSource stop = new();
        using SymbolWebServer server = new(_ =>
        {
            stop.Cancel();
            return SymbolWebAnswer.Silence;
        });
        CaptureContext context = new(s_patient, null, stop.Token) { Symbols = SymbolPath.Parse($"srv*{Cache}*{server.Address}", null) };
        Assert.ThrowsAny<OperationCanceledException>(() => TargetFile.Capture(_dump, context));
        Assert.Empty(CachedFiles);
    }

    private SymbolWebAnswer Honest(string path) => _store.TryGetValue(path, out byte[]? file) ? SymbolWebAnswer.File(file) : SymbolWebAnswer.NotFound;

    private ProcessSnapshot Capture(string address, CaptureLimits limits) => SmallDumpTests.Capture(_dump, $"srv*{Cache}*{address}", limits);

    private void AssertFails(SymbolWebServer server, string why, CaptureLimits limits)
    {
        AssertFails(Capture(server.Address, limits), why);
        Assert.NotEmpty(server.Requests);
    }

    private void AssertFails(ProcessSnapshot snapshot, string why)
    {
        Assert.Contains(snapshot.Gaps, gap => gap.What == "symbol server 127.0.0.1" && gap.Why.Contains(why, StringComparison.Ordinal));
        Assert.Empty(CachedFiles);
    }
}
