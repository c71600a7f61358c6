using HangTriage.Tests.Support;

namespace HangTriage.Tests.DotnetDump;

/// <summary>Where the built extension lies.</summary>
internal static class Extension
{
    public const string FileName = "HangTriage.DotnetDump.dll";

    private static readonly string s_configuration = Path.GetFileName(Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory));

    public static string Folder(int hostMajor) => Output($"HangTriage.DotnetDump.Host{hostMajor}");

    public static string Dll(int hostMajor) => Path.Combine(Folder(hostMajor), FileName);

    public static string Contract(int hostMajor)
        => Path.Combine(Output($"HangTriage.DotnetDump.Contract.Host{hostMajor}"), "Microsoft.Diagnostics.DebugServices.dll");

    private static string Output(string project) => Path.Combine(Repository.Artifacts, "bin", project, s_configuration);
}
