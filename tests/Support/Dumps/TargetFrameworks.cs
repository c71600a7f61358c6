namespace HangTriage.Tests.Support.Dumps;

public static class TargetFrameworks
{
    public static IReadOnlyList<TargetFramework> All { get; } = [TargetFramework.Net8, TargetFramework.Net9, TargetFramework.Net10];

    /// <summary>As projects name it: "net8.0".</summary>
    public static string Moniker(this TargetFramework framework) => framework switch
    {
        TargetFramework.Net8 => "net8.0",
        TargetFramework.Net9 => "net9.0",
        _ => "net10.0",
    };
}
