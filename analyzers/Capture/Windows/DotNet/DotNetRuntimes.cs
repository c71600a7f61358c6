using HangTriage.Capture.Windows.Images;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.DotNet;

/// <summary>Finds .NET runtimes among the images of a process.</summary>
internal static class DotNetRuntimes
{
    private const string CoreClr = "CoreCLR";
    private const string Framework = ".NET Framework";

    /// <param name="modules">The modules in the order of the source.</param>
    /// <param name="main">The main program's image, which can have the runtime within; null where it is not known.</param>
    public static IReadOnlyList<RuntimeFacts> Find(IReadOnlyList<ModuleFacts> modules, Image? main)
    {
        List<RuntimeFacts> runtimes = [];
        foreach (ModuleFacts module in modules)
        {
            string? flavor = module.Name.ToLowerInvariant() switch
            {
                "coreclr.dll" => CoreClr,
                "clr.dll" or "mscorwks.dll" => Framework,
                _ => null,
            };
            if (flavor is not null)
            {
                runtimes.Add(new RuntimeFacts(flavor, module.Version is { } version
                    ? Known.Read(version)
                    : Known.Unknown<string>("runtime version", $"the module list does not give that of {module.Name}")));
            }
        }

        // A single-file program has the runtime in itself, and exports this for debuggers to find it.
        if (runtimes.Count == 0 && main?.Exports?.Contains("DotNetRuntimeInfo"u8) == true)
        {
            runtimes.Add(new RuntimeFacts(CoreClr, Known.Unknown<string>("runtime version", "the runtime is part of a single-file program")));
        }

        return runtimes;
    }
}
