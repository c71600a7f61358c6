using System.Reflection;
using System.Runtime.Loader;

namespace HangTriage.DbgEng;

/// <summary>Loads the extension with the libraries that lie beside it, whatever versions the host has loaded.</summary>
internal sealed class IsolatedContext : AssemblyLoadContext
{
    private static readonly object s_gate = new();
    private static Assembly? s_own;

    private readonly AssemblyDependencyResolver _resolver;

    private IsolatedContext(string path)
        : base("HangTriage")
        => _resolver = new AssemblyDependencyResolver(path);

    public static Assembly Load(Assembly assembly)
    {
        lock (s_gate)
        {
            return s_own ??= new IsolatedContext(assembly.Location).LoadFromAssemblyPath(assembly.Location);
        }
    }

    protected override Assembly? Load(AssemblyName assemblyName)
        => _resolver.ResolveAssemblyToPath(assemblyName) is { } path ? LoadFromAssemblyPath(path) : null;
}
