using HangTriage.Capture.Files;
using HangTriage.Capture.Linux.Snapshots;
using HangTriage.Capture.Windows.Minidump;
using HangTriage.Capture.Windows.Snapshots;
using HangTriage.Facts;

namespace HangTriage.Capture.Targets;

/// <summary>Captures a file, whatever it holds: a minidump, a core, a facts file, or one of these that is packed.</summary>
public static class TargetFile
{
    /// <summary>How much of a file's start says whether it is packed, in bytes.</summary>
    public const int HeadSize = FileSniffer.HeadSize;

    /// <summary>True for a compressed file and an archive, in which a target can be.</summary>
    /// <param name="head">The file's first bytes, up to <see cref="HeadSize"/>.</param>
    public static bool IsPacked(ReadOnlySpan<byte> head) => FileSniffer.PackingOf(head) is not null;

    /// <summary>Recognises a file by its content and reads it; of a facts file with several samples the last.</summary>
    /// <param name="path">The file.</param>
    /// <param name="context">Limits, progress, cancellation, and what is looked for where.</param>
    /// <param name="runtime">The way to the process's .NET runtime, where a host has one; null for the one through the file.</param>
    /// <exception cref="TargetOpenException">The file cannot be read, or holds nothing that can be captured.</exception>
    /// <exception cref="OperationCanceledException">The context was cancelled.</exception>
    public static ProcessSnapshot Capture(string path, CaptureContext context, IRuntimeDoor? runtime = null) => CaptureCase(path, context, runtime).Last;

    /// <summary>Recognises a file by its content and reads it. A facts file can hold several samples, any other holds one.</summary>
    /// <exception cref="TargetOpenException">The file cannot be read, or holds nothing that can be captured.</exception>
    /// <exception cref="OperationCanceledException">The context was cancelled.</exception>
    public static Case CaptureCase(string path, CaptureContext context, IRuntimeDoor? runtime = null)
    {
        ArgumentNullException.ThrowIfNull(path);
        ArgumentNullException.ThrowIfNull(context);
        using FileStream file = Open(path);
        FileContent content = Sniff(file, out string refusal);
        if (!IsPacking(content))
        {
            return CapturePlain(path, file, content, refusal, FileTime.Of(path), runtime, context);
        }

        using UnpackedFile unpacked = UnpackedFile.Unpack(file, content, path, context);
        using FileStream inner = Open(unpacked.FilePath);
        FileContent innerContent = Sniff(inner, out string innerRefusal);
        if (IsPacking(innerContent))
        {
            throw new TargetOpenException("the file is compressed twice; unpack it once");
        }

        Case read = CapturePlain(
            unpacked.FilePath, inner, innerContent, $"in the compressed file: {innerRefusal}", FileTime.Of(path), runtime, context);
        return unpacked.Doubt is { } doubt
            ? Case.Of([.. read.Samples.SkipLast(1), read.Last with { Gaps = [.. read.Last.Gaps, doubt] }])
            : read;
    }

    private static bool IsPacking(FileContent content)
        => content is FileContent.Gzip or FileContent.Zip or FileContent.Tar or FileContent.Zstd or FileContent.Xz or FileContent.Lz4;

    private static Case CapturePlain(
        string path, FileStream file, FileContent content, string refusal, DateTimeOffset? fileTime, IRuntimeDoor? runtime, CaptureContext context) => content switch
        {
            FileContent.Minidump => Case.Of(CaptureMinidump(path, runtime, context)),
            FileContent.ElfCore => Case.Of(FileTime.Assume(LinuxCoreCapture.Read(path, context, runtime), fileTime)),
            FileContent.Json => ReadFacts(file),
            _ => throw new TargetOpenException(refusal),
        };

    private static ProcessSnapshot CaptureMinidump(string path, IRuntimeDoor? runtime, CaptureContext context)
    {
        using MinidumpProcess process = MinidumpProcess.Open(path, context, runtime);
        return WindowsCapture.Read(process, context);
    }

    private static Case ReadFacts(FileStream file)
    {
        try
        {
            return FactsFile.Read(file);
        }
        catch (InvalidDataException e)
        {
            throw new TargetOpenException(SafeText.Clean(e.Message), e);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new TargetOpenException(FileErrors.Describe(e), e);
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException or NotSupportedException or FormatException or OverflowException)
        {
            throw new TargetOpenException("not a facts file: its parts contradict each other", e);
        }
    }

    private static FileStream Open(string path)
    {
        FileStream file = PlainFile.OpenStream(path);
        if (file.Length > 0)
        {
            return file;
        }

        file.Dispose();
        throw new TargetOpenException("the file is empty");
    }

    /// <summary>Looks at the file's start, and leaves the file there.</summary>
    private static FileContent Sniff(FileStream file, out string refusal)
    {
        byte[] head = new byte[FileSniffer.HeadSize];
        try
        {
            int read = file.ReadAtLeast(head, head.Length, throwOnEndOfStream: false);
            file.Position = 0;
            return FileSniffer.Sniff(head.AsSpan(0, read), out refusal);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new TargetOpenException(FileErrors.Describe(e), e);
        }
    }
}
