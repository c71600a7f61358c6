using System.Reflection;
using System.Runtime.Loader;

namespace HangTriage.Verdicts;

/// <summary>Loads a build of the tool with its own libraries, of which this program has another build.</summary>
internal sealed class ToolContext(string assembly) : AssemblyLoadContext(nameof(ToolContext))
{
    private readonly AssemblyDependencyResolver _resolver = new(assembly);

    protected override Assembly? Load(AssemblyName assemblyName)
        => _resolver.ResolveAssemblyToPath(assemblyName) is { } path ? LoadFromAssemblyPath(path) : null;

    protected override nint LoadUnmanagedDll(string unmanagedDllName)
        => _resolver.ResolveUnmanagedDllToPath(unmanagedDllName) is { } path ? LoadUnmanagedDllFromPath(path) : 0;
}
