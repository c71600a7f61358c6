using HangTriage.Tests.Support.Lab;

namespace HangTriage.Benchmarks;

/// <summary>!triage in the debugger engine, and the tool as a Windows program, on the same dump under the same Wine.</summary>
internal static class DebuggerCommand
{
    private const string DotNet = "10.0.14";
    private const int LastVerdict = 2;

    public static void Compare(string dump, int pairs, TextWriter output, TextWriter progress)
    {
        progress.WriteLine("publishing the tool for Windows");
        Lab.Output(["triage", "--version"]);
        string library = Path.Combine(WindowsLab.Folder, "triage", "extensions", "windbg", "triage.dll");
        string[] load = ["engine", "--dotnet", DotNet, dump, $".load {WindowsLab.WindowsPath(library)}"];
        WholeProcess peer = new(Lab.CommandOf(["triage", "analyze", WindowsLab.WindowsPath(dump)]), LastVerdict);
        Measure("debugger, engine and extension alone", load);
        Measure("debugger, !triage", [.. load, "call: triage"]);

        void Measure(string name, string[] commands)
        {
            progress.WriteLine($"{name}: {pairs} pairs");
            Comparison.Run(new WholeProcess(Lab.CommandOf(commands), LastGoodCode: 0), peer, pairs).Write(name, dump, "triage.exe", output);
        }
    }
}
