using System.Reflection;

namespace HangTriage.DotnetDump;

internal static class Version
{
    public static string Text { get; }
        = typeof(Version).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion;
}
