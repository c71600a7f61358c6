using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Sources;

/// <summary>
/// The module of the program. The runtime loads its own core library first, and the program right behind it: startup hooks and references
/// come later.
/// </summary>
internal static class ProgramModule
{
    private const string CoreLibrary = "System.Private.CoreLib.dll";

    /// <summary>Null where it is not in the input.</summary>
    public static ClrModule? Of(ClrAppDomain domain)
        => domain.Modules is [var core, var program, ..] && FileName(core) == CoreLibrary && !string.IsNullOrEmpty(program.Name)
            ? program : null;

    /// <summary>Of a path of either system; null where the module has none.</summary>
    public static string? FileName(ClrModule module)
        => module.Name is { } path ? path[(path.LastIndexOfAny(['/', '\\']) + 1)..] : null;
}
