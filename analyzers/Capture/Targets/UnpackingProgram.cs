using System.ComponentModel;
using System.Diagnostics;
using HangTriage.Capture.Libraries;
using HangTriage.Facts;

namespace HangTriage.Capture.Targets;

/// <summary>
/// A program of the system that unpacks what the framework cannot. It is started from folders where only the system's administrator puts
/// programs, and reads what was opened, not a name.
/// </summary>
internal sealed class UnpackingProgram : IDisposable
{
    private static readonly string[] s_folders = OperatingSystem.IsWindows() ? [] : ["/usr/bin", "/bin"];

    private readonly string _name;
    private readonly Process _process;
    private readonly Task _feeder;

    private UnpackingProgram(string name, Process process, Stream packed)
    {
        _name = name;
        _process = process;
        process.ErrorDataReceived += static (_, _) => { };
        process.BeginErrorReadLine();
        _feeder = Task.Run(() => Feed(packed));
    }

    /// <summary>What it unpacks.</summary>
    public Stream Output => _process.StandardOutput.BaseStream;

    /// <param name="format">How the file is packed.</param>
    /// <param name="packed">The file, open at its start.</param>
    /// <param name="path">What the user calls the file.</param>
    /// <param name="folders">Where programs are looked for; null for the system's.</param>
    /// <exception cref="TargetOpenException">This machine has no such program.</exception>
    public static UnpackingProgram Start(FileContent format, Stream packed, string path, IReadOnlyList<string>? folders = null)
    {
        string name = NameOf(format);
        string? program = (folders ?? s_folders).Select(folder => Path.Combine(folder, name)).FirstOrDefault(File.Exists);
        ProcessStartInfo start = new(program ?? name, ["-d", "-c", "-q"])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };

        // Variables can change what it does.
        start.Environment.Clear();
        try
        {
            return program is null ? throw Missing(name, path) : new UnpackingProgram(name, Process.Start(start)!, packed);
        }
        catch (Win32Exception)
        {
            throw Missing(name, path);
        }
    }

    /// <summary>Once all of the output is read: what is doubtful about it; null where nothing is.</summary>
    /// <param name="size">How many bytes it had.</param>
    /// <exception cref="TargetOpenException">It unpacked nothing.</exception>
    public Gap? Doubt(long size)
    {
        _process.WaitForExit();
        return _process.ExitCode == 0 ? null
            : size == 0 ? throw new TargetOpenException($"{_name} cannot unpack the file: it is damaged or cut off")
            : new Gap("compressed file", $"{_name} unpacked {size} bytes and then failed: the file is cut off or damaged");
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
            _process.WaitForExit();
        }

        _feeder.Wait();
        _process.Dispose();
    }

    private static string NameOf(FileContent format) => format switch
    {
        FileContent.Zstd => "zstd",
        FileContent.Xz => "xz",
        FileContent.Lz4 => "lz4",
        _ => throw new ArgumentOutOfRangeException(nameof(format)),
    };

    private static TargetOpenException Missing(string name, string path)
        => new($"compressed with {name}, which {(s_folders is [string folder, ..] ? $"needs {folder}/{name}" : "is not unpacked on Windows")}; "
            + $"unpack it where {name} is installed: {name} -d {ShellWord.Of(path)}");

    private void Feed(Stream packed)
    {
        try
        {
            using Stream input = _process.StandardInput.BaseStream;
            packed.CopyTo(input);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ObjectDisposedException)
        {
            // It ended before it had read all, and its exit code says why.
        }
    }
}
