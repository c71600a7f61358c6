using System.Reflection;
using System.Runtime.Loader;

namespace UnloadHeldUp;

/// <summary>Where a plug-in is loaded, which is this program's own assembly once more.</summary>
internal sealed class PluginContext() : AssemblyLoadContext(isCollectible: true)
{
    protected override Assembly? Load(AssemblyName assemblyName) => null;
}
