using System.Reflection;
using System.Runtime.Loader;
using Microsoft.Diagnostics.DebugServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.DotnetDump;

/// <summary>
/// Loads an extension as dotnet-dump and SOS do: their own assemblies by their name, if the major version is theirs; then
/// what lies beside the extension; then what the host has.
/// </summary>
internal sealed class HostLoadContext(string extension) : AssemblyLoadContext
{
    private static readonly Dictionary<string, Assembly> s_ofHost = new()
    {
        ["Microsoft.Diagnostics.DebugServices"] = typeof(CommandBase).Assembly,
        ["Microsoft.Diagnostics.Runtime"] = typeof(ClrRuntime).Assembly,
    };

    public Assembly Load() => LoadFromAssemblyPath(extension);

    protected override Assembly? Load(AssemblyName assemblyName)
    {
        if (s_ofHost.TryGetValue(assemblyName.Name!, out Assembly? own))
        {
            return own.GetName().Version!.Major == assemblyName.Version!.Major
                ? own
                : throw new InvalidOperationException($"Extension assembly reference version not supported for {assemblyName.Name} {assemblyName.Version}");
        }

        string beside = Path.Combine(Path.GetDirectoryName(extension)!, assemblyName.Name + ".dll");
        return File.Exists(beside) ? LoadFromAssemblyPath(beside) : null;
    }
}
