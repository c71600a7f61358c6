using System.Reflection;
using System.Runtime.Loader;

namespace HangTriage.DbgEng;

/// <summary>
/// Loads the extension with the libraries that lie beside it, whatever versions the host has loaded. The host's runtime
/// may have been started without hostfxr, so nothing here asks it to resolve anything.
/// </summary>
internal sealed class IsolatedContext : AssemblyLoadContext
{
    private static readonly object s_gate = new();
    private static Assembly? s_own;

    private readonly string _folder;

    private IsolatedContext(string folder)
        : base("HangTriage")
        => _folder = folder;

    public static Assembly Load(Assembly assembly)
    {
        lock (s_gate)
        {
            return s_own ??= new IsolatedContext(Path.GetDirectoryName(assembly.Location)!).LoadFromAssemblyPath(assembly.Location);
        }
    }

    protected override Assembly? Load(AssemblyName assemblyName)
        => Path.Combine(_folder, assemblyName.Name + ".dll") is var path && File.Exists(path) ? LoadFromAssemblyPath(path) : null;
}
