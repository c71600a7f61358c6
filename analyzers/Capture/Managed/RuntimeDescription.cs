using System.Globalization;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>Says which .NET runtime was found.</summary>
public static class RuntimeDescription
{
    private const string SharedFramework = "Microsoft.NETCore.App";
    private const string CoreLibrary = "System.Private.CoreLib.dll";

    public static RuntimeFacts Of(ClrInfo clr)
    {
        ArgumentNullException.ThrowIfNull(clr);
        string flavor = clr.Flavor switch
        {
            ClrFlavor.Core => "CoreCLR",
            ClrFlavor.Desktop => ".NET Framework",
            _ => clr.Flavor.ToString(),
        };
        return new RuntimeFacts(flavor, Attempt.Read("runtime version", () => Version(clr)));
    }

    // A Linux libcoreclr.so has no version resource, and ClrMD then says 0.0. The shared framework's folder is named by
    // the version; a self-contained program has no such folder, but its core library is a PE image with a resource.
    private static Known<string> Version(ClrInfo clr)
    {
        if (clr.Version.Major != 0)
        {
            return FromFileVersion(clr.Version, clr.Flavor);
        }

        string[] folders = (clr.ModuleInfo.FileName ?? string.Empty).Split('/', '\\');
        if (folders.Length >= 3 && folders[^3] == SharedFramework && folders[^2].Length > 0 && char.IsAsciiDigit(folders[^2][0]))
        {
            return Known.Read(folders[^2]);
        }

        foreach (ModuleInfo module in clr.DataTarget.EnumerateModules())
        {
            if (module.FileName?.EndsWith(CoreLibrary, StringComparison.OrdinalIgnoreCase) == true && module.Version.Major != 0)
            {
                return FromFileVersion(module.Version, clr.Flavor);
            }
        }

        return Known.Unknown<string>("runtime version", "neither the runtime's folder nor an image in memory states it");
    }

    // .NET 5 and later number their files major.minor.(patch * 100 + year of the build).build: 8.0.3126.42015 is 8.0.31.
    private static Known<string> FromFileVersion(Version version, ClrFlavor flavor)
        => flavor == ClrFlavor.Core && version is { Major: >= 5, Build: >= 100 }
            ? Known.Derived(string.Create(CultureInfo.InvariantCulture, $"{version.Major}.{version.Minor}.{version.Build / 100}"))
            : Known.Read(version.ToString());
}
