using System.ComponentModel;
using System.IO.Pipes;
using System.Reflection;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace HangTriage.Verdicts;

/// <summary>The process of a <see cref="WarmTool"/>: calls the tool's Main for each line of arguments, with its output in files.</summary>
internal static class ToolHost
{
    public const string Command = "host";

    private const int Output = 1;
    private const int Error = 2;

    public static int Run(string assembly, string pipe)
    {
        using StreamWriter answers = new(new AnonymousPipeClientStream(PipeDirection.Out, pipe)) { AutoFlush = true };
        MethodInfo main = new ToolContext(assembly).LoadFromAssemblyPath(assembly).EntryPoint!;
        while (Console.In.ReadLine() is { } line)
        {
            string[] parts = line.Split('\t');
            Redirect(Output, parts[0]);
            Redirect(Error, parts[1]);
            answers.WriteLine((int)main.Invoke(null, [parts[2..]])!);
        }

        return 0;
    }

    private static void Redirect(int descriptor, string path)
    {
        using SafeFileHandle file = File.OpenHandle(path, FileMode.Create, FileAccess.Write, FileShare.ReadWrite);
        if (Duplicate(file, descriptor) < 0)
        {
            throw new Win32Exception();
        }
    }

    [DllImport("libc", EntryPoint = "dup2", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Duplicate(SafeFileHandle from, int to);
}
