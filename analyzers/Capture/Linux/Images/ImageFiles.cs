using HangTriage.Facts;

namespace HangTriage.Capture.Linux.Images;

/// <summary>Files of this machine that stand in for what a core leaves out.</summary>
internal sealed class ImageFiles : IDisposable
{
    private const string What = "files of the process";
    private const string Runtime = "/libcoreclr.so";
    private const int MostNames = 3;

    private readonly List<(MappedRange Range, ImageFile File)> _ranges = [];
    private readonly List<ImageFile> _files = [];
    private readonly List<string> _missing = [];

    private ImageFiles()
    {
    }

    /// <summary>Nothing was found, or needed.</summary>
    public bool IsEmpty => _files.Count == 0;

    /// <summary>Those that were not found; null where all were.</summary>
    public Gap? Missing => _missing.Count == 0 ? null
        : new Gap(What, $"the core leaves them out, and the same build of {Names(_missing)} was not found; --symbols names a folder that has it");

    /// <param name="notes">The core's.</param>
    /// <param name="memory">What it holds.</param>
    /// <param name="context">Where else to look, limits and cancellation.</param>
    public static ImageFiles Find(CoreNotes notes, CoreMemory memory, CaptureContext context)
        => Find(notes, static _ => true, static (_, _) => true, memory, context);

    /// <summary>
    /// The runtime's own image alone. createdump leaves out the pages of files that are in no physical memory at that moment: what the
    /// process has only read, and the kernel has taken back, is what the file has. Nothing of what it may write to, and nothing of a core
    /// that is cut off.
    /// </summary>
    public static ImageFiles FindRuntime(CoreNotes notes, CoreMemory memory, CaptureContext context)
        => Find(
            notes,
            path => notes.MissingBytes == 0 && path.EndsWith(Runtime, StringComparison.Ordinal),
            (file, range) => !file.IsWritable(range, context.Limits.MemoryRanges),
            memory,
            context);

    /// <summary>Does without the files that turn out not to fit; says whether there were any.</summary>
    public bool DropIf(Predicate<ImageFile> doesNotFit)
    {
        ImageFile[] dropped = [.. _files.Where(file => doesNotFit(file))];
        foreach (ImageFile file in dropped)
        {
            _files.Remove(file);
            _ranges.RemoveAll(range => range.File == file);
            _missing.Add(NameOf(file.MappedPath));
            file.Dispose();
        }

        return dropped.Length > 0;
    }

    /// <summary>Reads from the file that the address is mapped from.</summary>
    /// <returns>Bytes read, at most to the end of the range; 0 where there is no such file.</returns>
    public int Read(ulong address, Span<byte> buffer)
    {
        int low = 0;
        int high = _ranges.Count - 1;
        while (low <= high)
        {
            int middle = (low + high) >> 1;
            (MappedRange range, ImageFile file) = _ranges[middle];
            if (address < range.Start)
            {
                high = middle - 1;
            }
            else if (address >= range.End)
            {
                low = middle + 1;
            }
            else
            {
                ulong offset = range.FileOffset + (address - range.Start);
                return file.Read(offset, buffer[..(int)Math.Min((ulong)buffer.Length, range.End - address)]);
            }
        }

        return 0;
    }

    public void Dispose()
    {
        foreach (ImageFile file in _files)
        {
            file.Dispose();
        }
    }

    private static ImageFiles Find(CoreNotes notes, Func<string, bool> isWanted, Func<ImageFile, MappedRange, bool> isWantedOf,
        CoreMemory memory, CaptureContext context)
    {
        ImageFiles files = new();
        IEnumerable<IGrouping<string, MappedRange>> mapped = notes.Files
            .Where(range => range.End > range.Start && isWanted(range.Path))
            .GroupBy(range => range.Path)
            .Take(context.Limits.Modules);
        foreach ((string path, MappedRange[] ranges) in mapped.Select(file => (file.Key, file.ToArray())))
        {
            context.Step();
            if (!ranges.All(range => memory.Holds(range.Start, range.End)))
            {
                files.Add(path, ranges, isWantedOf, memory, context);
            }
        }

        files._ranges.Sort((one, other) => one.Range.Start.CompareTo(other.Range.Start));
        return files;
    }

    private void Add(string path, MappedRange[] ranges, Func<ImageFile, MappedRange, bool> isWanted, CoreMemory memory,
        CaptureContext context)
    {
        string name = NameOf(path);
        foreach (string candidate in Candidates(path, name, context.Symbols))
        {
            if (ImageFile.Open(candidate, path, context.Limits.SymbolFileBytes) is not { } file)
            {
                continue;
            }

            if (ImageCheck.Fits(file, ranges, memory))
            {
                _files.Add(file);
                _ranges.AddRange(ranges.Where(range => isWanted(file, range)).Select(range => (range, file)));
                return;
            }

            file.Dispose();
        }

        if (IsImage(name))
        {
            _missing.Add(context.Limits.Cut(name));
        }
    }

    /// <summary>A folder of the user's can hold just the files, or a tree as on the machine of the process.</summary>
    private static IEnumerable<string> Candidates(string path, string name, SymbolPath symbols)
    {
        foreach (string folder in symbols.Places.SelectMany(place => place.Folders))
        {
            yield return Path.Join(folder, name);
            if (!path.Split('/').Contains(".."))
            {
                yield return Path.Join(folder, path);
            }
        }

        yield return path;
    }

    private static string NameOf(string path) => path[(path.LastIndexOf('/') + 1)..];

    private static bool IsImage(string name)
        => name.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) || name.EndsWith(".so", StringComparison.Ordinal) || name.Contains(".so.", StringComparison.Ordinal);

    private static string Names(List<string> names)
        => string.Join(", ", names.Take(MostNames)) + (names.Count > MostNames ? $" and {names.Count - MostNames} more" : string.Empty);
}
