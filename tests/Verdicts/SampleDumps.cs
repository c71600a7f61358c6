using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Lab;
using HangTriage.Tests.Support.Samples;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Verdicts;

/// <summary>Makes a store: dumps of every sample in every kind, and the real ones. What is there already is not made again.</summary>
internal sealed class SampleDumps(string store, TextWriter output)
{
    // A full dump, and a small one.
    private static readonly string[] s_flags = ["0x1806", "0x1101"];

    /// <returns>The exit code: 1 where a dump could not be made.</returns>
    public async Task<int> MakeAsync()
    {
        Directory.CreateDirectory(store);
        File.Copy(Repository.Sample("LoaderLockSpin", "hang.dmp.gz"), Path.Combine(store, "LoaderLockSpin-published.dmp.gz"), overwrite: true);
        foreach (string dump in Repository.SharedData is { } data ? Directory.GetFiles(Path.Combine(data, "dumps"), "*.dmp") : [])
        {
            File.Copy(dump, Path.Combine(store, $"public-{Path.GetFileName(dump)}"), overwrite: true);
        }

        int code = 0;
        foreach (string sample in SampleList.Managed)
        {
            foreach (TargetFramework framework in TargetFrameworks.All)
            {
                code |= await TryAsync($"{sample}-{framework.Moniker()}", name => CoresAsync(sample, framework, name));
            }

            code |= await TryAsync($"{sample}-net10.0-gcore.core", async name => await DebuggerCore.WriteAsync(
                DotNetPrograms.Find(sample, TargetFramework.Net10), name, CancellationToken.None));
        }

        foreach ((string sample, string flags) in from sample in SampleList.Native.Concat(SampleList.Managed) from flags in s_flags select (sample, flags))
        {
            code |= await TryAsync($"{sample}-windows-{flags}.dmp", name => Task.FromResult(WindowsLab.Output("dump", sample, flags, name)));
        }

        return code;
    }

    // A self-contained program's runtime lies beside it alone, and the tool does not trust a folder that only a core names.
    private static async Task CoresAsync(string sample, TargetFramework framework, string name)
    {
        string program = DotNetPrograms.Find(sample, framework);
        (DumpType Type, string File)[] cores = [(DumpType.Full, name + "-full.core"), (DumpType.WithHeap, name + "-heap.core"), (DumpType.Normal, name + "-mini.core")];
        await File.WriteAllLinesAsync(name + ".out.txt", await DumpTool.DumpAsync(program, cores, CancellationToken.None));
        foreach ((_, string core) in cores.Where(_ => framework != TargetFramework.Net10))
        {
            await File.WriteAllLinesAsync(core + ".args", ["--dac", Path.GetDirectoryName(program)!]);
        }
    }

    private async Task<int> TryAsync(string name, Func<string, Task> make)
    {
        string path = Path.Combine(store, name);
        if (File.Exists(path) || File.Exists(path + ".out.txt"))
        {
            return 0;
        }

        try
        {
            await make(path);
            return 0;
        }
#pragma warning disable CA1031 // The other dumps are still to be made.
        catch (Exception e)
#pragma warning restore CA1031
        {
            await output.WriteLineAsync($"{name}: {e.Message}");
            return 1;
        }
    }
}
