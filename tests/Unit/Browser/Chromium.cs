using System.ComponentModel;
using System.Diagnostics;
using HangTriage.Tests.Support;

namespace HangTriage.Tests.Unit.Browser;

/// <summary>Debian's package chromium, without a window and without a network: shows a page and says what became of it.</summary>
internal static class Chromium
{
    private const string Program = "chromium";

    // Counted in the page's own time, which passes as fast as the page works.
    private const int PageMilliseconds = 60_000;

    private static readonly TimeSpan s_bound = TimeSpan.FromMinutes(3);

    /// <summary>The page's elements as they are in the end, and what it wrote to its console.</summary>
    /// <param name="address">A file: address.</param>
    /// <param name="options">Further options of the program.</param>
    public static (string Dom, IReadOnlyList<string> Console) Show(string address, params string[] options)
    {
        using TemporaryFolder profile = new();
        ProcessStartInfo start = new(Program) { RedirectStandardOutput = true, RedirectStandardError = true };
        string[] arguments =
        [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--no-first-run",
            "--host-resolver-rules=MAP * ~NOTFOUND", "--allow-file-access-from-files", "--enable-logging=stderr", $"--user-data-dir={profile.Folder}",
            $"--virtual-time-budget={PageMilliseconds}", .. options, "--dump-dom", address,
        ];
        foreach (string argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        using Process process = Start(start);
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> log = process.StandardError.ReadToEndAsync();
        if (!process.WaitForExit(s_bound))
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"{Program} did not end within {s_bound}: {address}");
        }

        process.WaitForExit();
        return (output.Result, [.. log.Result.Split('\n').Where(line => line.Contains(":CONSOLE", StringComparison.Ordinal))]);
    }

    private static Process Start(ProcessStartInfo start)
    {
        try
        {
            return Process.Start(start)!;
        }
        catch (Win32Exception)
        {
            Skip.Because($"{Program} (the Debian package of that name) is not installed");
            throw;
        }
    }
}
