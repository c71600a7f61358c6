using System.ComponentModel;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace HangTriage.Tests.Support.Losses;

/// <summary>
/// Which pages of a file a program reads, by what of it the kernel then keeps in memory: however the program reads, that is
/// no page too few, unless it reclaims memory before the end of the run. It is some too many where the kernel reads ahead; a
/// disk with a read-ahead of 0 makes it exact.
/// </summary>
public sealed class PagesRead
{
    private const int ReadOnly = 1;
    private const int Shared = 1;
    private const int DoNotNeed = 4;

    // A page that another look at the file holds is not let go of at once.
    private const int Attempts = 20;
    private static readonly nint s_failed = -1;

    private static readonly TimeSpan s_between = TimeSpan.FromMilliseconds(100);

    private readonly byte[] _states;

    private PagesRead(byte[] states) => _states = states;

    /// <summary>Null where the file lies in memory itself, which tells nothing.</summary>
    public static PagesRead? By(Action program, string path)
    {
        using SafeFileHandle file = File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        if (!IsForgotten(file))
        {
            return null;
        }

        program();
        return new PagesRead(States(file));
    }

    /// <summary>The pages of two runs: what the kernel reclaimed before the end of one is there at the end of the other.</summary>
    public PagesRead With(PagesRead? other) => other is null ? this : new PagesRead([.. _states.Zip(other._states, (one, two) => (byte)(one | two))]);

    /// <summary>Whether a page of these bytes of the file was read.</summary>
    public bool Any(long offset, long size)
    {
        int first = (int)(offset / Environment.SystemPageSize);
        int last = (int)((offset + size - 1) / Environment.SystemPageSize);
        return _states.Skip(first).Take(last - first + 1).Any(IsThere);
    }

    public int Count => _states.Count(IsThere);

    private static bool IsForgotten(SafeFileHandle file)
    {
        for (int i = 0; i < Attempts; i++)
        {
            RandomAccess.FlushToDisk(file);
            _ = Advise(file, 0, 0, DoNotNeed);
            if (!States(file).Any(IsThere))
            {
                return true;
            }

            Thread.Sleep(s_between);
        }

        return false;
    }

    private static bool IsThere(byte state) => (state & 1) != 0;

    private static byte[] States(SafeFileHandle file)
    {
        nuint length = (nuint)RandomAccess.GetLength(file);
        byte[] states = new byte[((long)length + Environment.SystemPageSize - 1) / Environment.SystemPageSize];
        nint view = Map(0, length, ReadOnly, Shared, file, 0);
        if (view == s_failed || InMemory(view, length, states) != 0)
        {
            throw new Win32Exception();
        }

        _ = Unmap(view, length);
        return states;
    }

    [DllImport("libc", EntryPoint = "posix_fadvise")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Advise(SafeFileHandle file, long offset, long length, int advice);

    [DllImport("libc", EntryPoint = "mmap", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern nint Map(nint address, nuint length, int protection, int flags, SafeFileHandle file, long offset);

    [DllImport("libc", EntryPoint = "mincore", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int InMemory(nint address, nuint length, [Out] byte[] states);

    [DllImport("libc", EntryPoint = "munmap")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Unmap(nint address, nuint length);
}
