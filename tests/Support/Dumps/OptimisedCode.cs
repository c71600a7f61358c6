using System.Diagnostics;

namespace HangTriage.Tests.Support.Dumps;

/// <summary>
/// Starts a .NET program so that each method is compiled once, with all that can be inlined, .NET's own included: the stacks are those
/// of a service that has run for a while.
/// </summary>
public static class OptimisedCode
{
    public static ProcessStartInfo Start(string program, params IReadOnlyList<string> arguments)
        => new(program, arguments)
        {
            Environment = { ["DOTNET_TieredCompilation"] = "0", ["DOTNET_ReadyToRun"] = "0" },
        };
}
