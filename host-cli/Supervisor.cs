using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace HangTriage.Cli;

/// <summary>
/// Runs the command in a process of its own where a .NET runtime's own library (native code, which a damaged or hostile dump
/// can crash) may have to read the dump, and once more without that library where it did crash.
/// </summary>
internal static partial class Supervisor
{
    private const int SigTerm = 15;

    // The system's way of saying that a signal or an exception ended a process.
    private const int AboveSignals = 128;

    private static readonly TimeSpan s_timeToCancel = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan s_timeToEnd = TimeSpan.FromSeconds(5);

    /// <summary>True where one of the arguments is a dump whose runtime can be read on this system.</summary>
    public static bool IsNeeded(string[] args) => !Worker.IsThisProcess && args is ["analyze" or "report" or "capture", ..] && args.Skip(1).Any(IsDump);

    public static int Run(string[] args, Host host)
    {
        int code = Start(args, whyWithoutRuntime: null, host.Cancellation);
        if (!IsCrash(code) || host.Cancellation.IsCancellationRequested)
        {
            return code;
        }

        string why = $"the library that reads the .NET runtime's data crashed on this input ({NameOf(code)})";
        host.Error.WriteLine($"triage: {why}; once more without it");
        return Start(args, why, host.Cancellation);
    }

    private static int Start(string[] args, string? whyWithoutRuntime, CancellationToken cancellation)
    {
        string program = Environment.ProcessPath!;
        bool isHosted = Path.GetFileNameWithoutExtension(program) == "dotnet";
        ProcessStartInfo start = new(program, isHosted ? [typeof(Supervisor).Assembly.Location, .. args] : args);
        start.Environment[Worker.Mark] = "1";
        start.Environment[Worker.WithoutRuntime] = whyWithoutRuntime;
        using Process worker = Process.Start(start)!;
        try
        {
            worker.WaitForExitAsync(cancellation).GetAwaiter().GetResult();
        }
        catch (OperationCanceledException)
        {
            // A terminal has told the worker too; whoever signalled this process alone has not.
            End(worker);
        }

        return worker.ExitCode;
    }

    private static void End(Process worker)
    {
        if (worker.WaitForExit(s_timeToCancel))
        {
            return;
        }

        if (!OperatingSystem.IsWindows())
        {
            _ = Signal(worker.Id, SigTerm);
        }

        if (OperatingSystem.IsWindows() || !worker.WaitForExit(s_timeToEnd))
        {
            worker.Kill();
            worker.WaitForExit();
        }
    }

    private static bool IsCrash(int code)
        => OperatingSystem.IsWindows() ? code < 0 : code is > AboveSignals and not ExitCode.Interrupted and not AboveSignals + 9 and not AboveSignals + SigTerm;

    private static string NameOf(int code)
        => OperatingSystem.IsWindows()
            ? string.Create(CultureInfo.InvariantCulture, $"exception 0x{code:x8}")
            : string.Create(CultureInfo.InvariantCulture, $"signal {code - AboveSignals}");

    // A packed file may hold a dump. A minidump's runtime is read on Windows alone, a core's on Linux.
    private static bool IsDump(string path)
    {
        try
        {
            // A pipe has no length, and opening one waits for somebody at its other end.
            if (path.StartsWith('-') || new FileInfo(path) is not { Exists: true, Length: >= sizeof(uint) })
            {
                return false;
            }

            using FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
            Span<byte> head = stackalloc byte[sizeof(uint)];
            return file.CanSeek && file.ReadAtLeast(head, head.Length, throwOnEndOfStream: false) == head.Length
                && BinaryPrimitives.ReadUInt32LittleEndian(head) switch
                {
                    0x464C_457F => OperatingSystem.IsLinux(),
                    0x504D_444D => OperatingSystem.IsWindows(),
                    0x0403_4B50 => true,
                    uint other => (ushort)other == 0x8B1F,
                };
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            return false;
        }
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Signal(int process, int signal);
}
