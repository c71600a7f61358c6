using System.Diagnostics;
using System.Globalization;
using HangTriage.Capture;
using HangTriage.Capture.Windows.Pdb;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Capture.Symbols;

/// <summary>A PDB that a real linker wrote, against the symbol table of the same image.</summary>
public sealed class LinkerPdbTests
{
    private const string Compiler = "x86_64-w64-mingw32-gcc";
    private const string Lister = "x86_64-w64-mingw32-nm";

    [Fact]
    public void Every_function_of_a_real_PDB_has_the_name_that_the_linker_gave_it()
    {
        WindowsLab.Require();
        using TemporaryFolder folder = new();
        folder.Write("code.c", """
            static volatile int sink;
            __attribute__((noinline)) static int hidden(int x) { sink += x; return sink; }
            __attribute__((noinline)) int shown(int x) { return hidden(x) * 3 + sink; }
            __declspec(dllexport) int exported(int x) { return shown(x) + 1; }
            """);
        Run(folder, Compiler, "-O1", "-shared", "-o", "code.dll", "code.c", "-Wl,--pdb=code.pdb");
        Dictionary<uint, List<string>> functions = Functions(Run(folder, Lister, "code.dll"), ImageBase(folder["code.dll"]));
        Assert.Contains(functions.Values, names => names.Contains("shown"));

        using PdbFile pdb = PdbFile.Open(folder["code.pdb"], long.MaxValue, out _)!;
        PdbNames found = PdbNames.Read(pdb, CaptureLimits.Default, TestContext.Current.CancellationToken, out string? why);
        Assert.Null(why);
        foreach ((uint rva, List<string> names) in functions)
        {
            Assert.True(found.TryFindNearest(rva, rva, out _, out string? name), $"{names[0]} at 0x{rva:x} is missing");
            Assert.Contains(name, names);
        }
    }

    /// <summary>Global functions by rva; an rva can have several names.</summary>
    private static Dictionary<uint, List<string>> Functions(string symbols, ulong imageBase)
        => symbols.Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => line.TrimEnd('\r').Split(' '))
            // The lists of constructors are the linker script's, which the linker leaves out of the PDB.
            .Where(fields => fields is [_, "T", var name] && !name.EndsWith("_LIST__", StringComparison.Ordinal))
            .GroupBy(fields => (uint)(ulong.Parse(fields[0], NumberStyles.HexNumber, CultureInfo.InvariantCulture) - imageBase), fields => fields[2])
            .ToDictionary(group => group.Key, group => group.ToList());

    private static ulong ImageBase(string path)
    {
        byte[] image = File.ReadAllBytes(path);
        return BitConverter.ToUInt64(image, BitConverter.ToInt32(image, 0x3C) + 0x30);
    }

    private static string Run(TemporaryFolder folder, string program, params string[] arguments)
    {
        ProcessStartInfo start = new(program, arguments) { WorkingDirectory = folder.Folder, RedirectStandardOutput = true };
        using Process process = Process.Start(start)!;
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        Assert.Equal(0, process.ExitCode);
        return output;
    }
}
