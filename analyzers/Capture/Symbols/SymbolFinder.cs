using System.Diagnostics;
using HangTriage.Facts;

namespace HangTriage.Capture.Symbols;

/// <summary>Finds the files of modules in the places of a symbol path. Opens nothing outside of them.</summary>
internal sealed class SymbolFinder : IDisposable
{
    /// <summary>What is said of a file that no place has.</summary>
    public const string NotThere = "the symbol path does not have it";

    private readonly CaptureContext _context;
    private readonly Dictionary<Uri, SymbolServer> _servers = [];
    private readonly Dictionary<string, Gap> _failures = [];
    private TimeSpan _timeLeft;

    public SymbolFinder(CaptureContext context)
    {
        _context = context;
        _timeLeft = context.Limits.SymbolDownloads;
    }

    /// <summary>Elements of the path that are not used, and servers that failed.</summary>
    public IReadOnlyList<Gap> Gaps => [.. _context.Symbols.Gaps, .. _failures.Values];

    /// <param name="key">What is looked for.</param>
    /// <param name="open">Opens a candidate.</param>
    /// <param name="why">Where nothing was found: a clause about the file.</param>
    /// <exception cref="OperationCanceledException">The context was cancelled.</exception>
    public T? Find<T>(SymbolKey key, SymbolOpener<T> open, out string why)
        where T : class, IDisposable
    {
        why = NotThere;
        foreach (SymbolPlace place in _context.Symbols.Places)
        {
            _context.Step();
            if ((FindInFolders(place, key, open, ref why) ?? Download(place, key, open, ref why)) is { } found)
            {
                return found;
            }
        }

        return null;
    }

    public void Dispose()
    {
        foreach (SymbolServer server in _servers.Values)
        {
            server.Dispose();
        }
    }

    private static T? FindInFolders<T>(SymbolPlace place, SymbolKey key, SymbolOpener<T> open, ref string why)
        where T : class, IDisposable
    {
        foreach (string folder in place.Folders)
        {
            IReadOnlyList<string> candidates = new SymbolFolder(folder).Find(key, out bool isCompressed);
            foreach (string candidate in candidates)
            {
                if (open(candidate, out string problem) is { } file)
                {
                    return file;
                }

                why = problem;
            }

            why = isCompressed && why == NotThere ? "the symbol path has only a compressed copy (its name ends with _), which is not read" : why;
        }

        return null;
    }

    private T? Download<T>(SymbolPlace place, SymbolKey key, SymbolOpener<T> open, ref string why)
        where T : class, IDisposable
    {
        if (place.Server is not { } address)
        {
            return null;
        }

        if (!_servers.TryGetValue(address, out SymbolServer? server))
        {
            _servers.Add(address, server = new SymbolServer(address, _context));
        }

        if (server.IsGivenUp)
        {
            return null;
        }

        if (_timeLeft <= TimeSpan.Zero)
        {
            Fail(address, $"no more is downloaded after {_context.Limits.SymbolDownloads.TotalMinutes:0.#} minutes");
            return null;
        }

        _context.Progress?.Report($"symbols: asking {address.Host} for {key.FileName}");
        string kept = new SymbolFolder(place.Folders[0]).PlaceOf(key);
        string temporary = $"{kept}.{Guid.NewGuid():N}.tmp";
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(kept)!);
            return Keep(server, address, key, temporary, kept, open, ref why);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            Fail(address, $"its answer cannot be kept in the cache folder (error 0x{e.HResult:x8})");
            return null;
        }
        finally
        {
            CleanUp(temporary);
        }
    }

    /// <summary>What a server gave is kept only once it has proved to be what was asked for.</summary>
    private T? Keep<T>(SymbolServer server, Uri address, SymbolKey key, string temporary, string kept, SymbolOpener<T> open, ref string why)
        where T : class, IDisposable
    {
        TimeSpan limit = _timeLeft < _context.Limits.SymbolDownload ? _timeLeft : _context.Limits.SymbolDownload;
        long start = Stopwatch.GetTimestamp();
        SymbolAnswer answer = server.Download(key, temporary, limit, out string failure);
        _timeLeft -= Stopwatch.GetElapsedTime(start);
        if (answer != SymbolAnswer.Done)
        {
            if (answer == SymbolAnswer.Failed)
            {
                Fail(address, failure);
            }

            return null;
        }

        using (T? file = open(temporary, out string problem))
        {
            if (file is null)
            {
                why = problem;
                return null;
            }
        }

        File.Move(temporary, kept, overwrite: true);
        return open(kept, out why);
    }

    private void Fail(Uri server, string why) => _failures.TryAdd(server.Host + why, new Gap($"symbol server {server.Host}", why));

    /// <summary>Removes what was not kept: the file, and the folders that were made for it.</summary>
    private static void CleanUp(string temporary)
    {
        try
        {
            File.Delete(temporary);
            string index = Path.GetDirectoryName(temporary)!;
            foreach (string folder in new[] { index, Path.GetDirectoryName(index)! })
            {
                if (!Directory.EnumerateFileSystemEntries(folder).Any())
                {
                    Directory.Delete(folder);
                }
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Nothing depends on it.
        }
    }
}
