using System.Runtime.InteropServices;
using HangTriage.Capture.Libraries;
using Microsoft.Win32.SafeHandles;

namespace HangTriage.Capture.Files;

/// <summary>
/// Opens a file on a disk for reading, and nothing else. To open a pipe by its name lasts until somebody writes to it: so it is opened
/// without waiting, and what was opened is judged, not the name.
/// </summary>
public static partial class PlainFile
{
    private const string NoFile = "this is a pipe or a device, not a file";
    private const string Folder = "this is a folder, not a file";

    /// <exception cref="TargetOpenException">It cannot be read, or is a folder, pipe, socket or device.</exception>
    public static SafeFileHandle Open(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        SafeFileHandle? file = null;
        try
        {
            string full = Path.GetFullPath(path);
            file = OperatingSystem.IsLinux() || OperatingSystem.IsMacOS() ? OpenAtOnce(full)
                : Directory.Exists(full) ? throw new TargetOpenException(Folder)
                : File.OpenHandle(full, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            return WhyNone(file) is { } why ? throw new TargetOpenException(why) : file;
        }
        catch (Exception e)
        {
            file?.Dispose();
            throw e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException
                ? new TargetOpenException(FileErrors.Describe(e), e)
                : e;
        }
    }

    /// <summary>The same as a stream.</summary>
    /// <exception cref="TargetOpenException">As <see cref="Open"/>.</exception>
    public static FileStream OpenStream(string path) => new(Open(path), FileAccess.Read);

    private static string? WhyNone(SafeFileHandle file)
        => OperatingSystem.IsLinux() && FileStatus.OfHandle(file) is { } status
            ? status.IsFile ? null
                : status.IsFolder ? Folder
                : status.IsPipe ? "this is a pipe, not a file"
                : "this is a device, not a file"
            : HasLength(file) ? null
            : NoFile;

    private static bool HasLength(SafeFileHandle file)
    {
        try
        {
            return RandomAccess.GetLength(file) >= 0;
        }
        catch (NotSupportedException)
        {
            return false;
        }
    }

    private static SafeFileHandle OpenAtOnce(string path)
    {
        int flags = OperatingSystem.IsLinux() ? Flags.Linux : Flags.MacOS;
        int file;
        do
        {
            file = OpenFile(path, flags);
        }
        while (file < 0 && Marshal.GetLastPInvokeError() == Error.Interrupted);
        return file >= 0 ? new SafeFileHandle(file, ownsHandle: true) : throw Failure(Marshal.GetLastPInvokeError());
    }

    private static Exception Failure(int error) => error switch
    {
        Error.NoEntry or Error.NoFolder => new FileNotFoundException(),
        Error.NotPermitted or Error.NoAccess => new UnauthorizedAccessException(),
        Error.NoDevice => new TargetOpenException("this is a socket or a device, not a file"),
        _ when error == (OperatingSystem.IsLinux() ? Error.NameTooLong : Error.NameTooLongOnMacOS) => new PathTooLongException(),
        _ => new IOException(Marshal.GetPInvokeErrorMessage(error), error),
    };

    [LibraryImport("libc", EntryPoint = "open", StringMarshalling = StringMarshalling.Utf8, SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int OpenFile(string path, int flags);

    /// <summary>O_RDONLY, O_NONBLOCK, O_NOCTTY and O_CLOEXEC.</summary>
    private static class Flags
    {
        public const int Linux = 0x800 | 0x100 | 0x80000;
        public const int MacOS = 0x4 | 0x20000 | 0x1000000;
    }

    private static class Error
    {
        public const int NotPermitted = 1;
        public const int NoEntry = 2;
        public const int Interrupted = 4;
        public const int NoDevice = 6;
        public const int NoAccess = 13;
        public const int NoFolder = 20;
        public const int NameTooLong = 36;
        public const int NameTooLongOnMacOS = 63;
    }
}
