using System.Diagnostics;

namespace HangTriage.Tests.Support;

/// <summary>Native libraries that do something when they are loaded, made by the system's C compiler.</summary>
public static class CompiledLibrary
{
    /// <summary>Writes the library; skips the test where it cannot be made.</summary>
    /// <param name="file">The library.</param>
    /// <param name="constructor">The body, in C, of what runs when it is loaded.</param>
    /// <param name="functions">What it calls.</param>
    public static void Write(string file, string constructor, string functions = "")
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("the library is made by cc");
        }

        string source = file + ".c";
        File.WriteAllText(source, $"#include <stdio.h>\n#include <unistd.h>\n#include <pthread.h>\n{functions}\n__attribute__((constructor)) static void load(void) {{ {constructor} }}\n");
        using Process compiler = Process.Start("cc", ["-shared", "-fPIC", "-o", file, source]);
        compiler.WaitForExit();
        File.Delete(source);
        if (compiler.ExitCode != 0)
        {
            throw new InvalidOperationException($"cc made no {file}");
        }
    }
}
