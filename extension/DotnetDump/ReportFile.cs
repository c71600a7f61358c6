using System.Text;
using HangTriage.Reports;
using HangTriage.Rules;
using Microsoft.Diagnostics.DebugServices;

namespace HangTriage.DotnetDump;

/// <summary>A report that goes to a file beside the one on the console.</summary>
internal sealed class ReportFile
{
    private readonly Action<TriageResult, TextWriter> _format;

    private ReportFile(string path, Action<TriageResult, TextWriter> format)
    {
        Path = path;
        _format = format;
    }

    public string Path { get; }

    /// <summary>Checks what can be known before the work begins. No file where the user named none.</summary>
    /// <exception cref="DiagnosticsException">The file cannot be written there.</exception>
    public static IEnumerable<ReportFile> Plan(string? path, Action<TriageResult, TextWriter> format)
    {
        if (path is null)
        {
            return [];
        }

        try
        {
            string full = System.IO.Path.GetFullPath(path);
            return Directory.Exists(full) ? throw Failure(path, "is a folder")
                : !Directory.Exists(System.IO.Path.GetDirectoryName(full)) ? throw Failure(path, "its folder does not exist")
                : [new ReportFile(full, format)];
        }
        catch (Exception e) when (e is ArgumentException or NotSupportedException or IOException)
        {
            throw Failure(path, e.Message);
        }
    }

    public void Write(TriageResult result)
    {
        try
        {
            using StreamWriter output = new(Path, append: false, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false));
            _format(result, output);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw Failure(Path, e.Message);
        }
    }

    private static DiagnosticsException Failure(string path, string why) => new(Printable.Ascii($"triage: {path}: {why}"));
}
