using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

namespace ModuleInitializerWait;

/// <summary>A module whose initializer has a thread load the settings, and that thread needs the module.</summary>
public static class Plugin
{
    private static int s_settings;

    public static void Use() => Console.WriteLine(s_settings);

    public static void Load() => s_settings = 1;

    [ModuleInitializer]
    internal static void Initialize()
    {
        // The program itself has this initializer, too, and no use for it.
        if (AssemblyLoadContext.GetLoadContext(typeof(Plugin).Assembly) == AssemblyLoadContext.Default)
        {
            return;
        }

        MethodInfo start = Assembly.GetEntryAssembly()!.GetType(typeof(Program).FullName!)!.GetMethod(nameof(Program.Start))!;
        ((Thread)start.Invoke(null, ["loader", new ThreadStart(Load)])!).Join();
    }
}
