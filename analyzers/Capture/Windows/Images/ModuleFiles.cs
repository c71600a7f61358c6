using HangTriage.Capture.Symbols;
using HangTriage.Capture.Windows.Files;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Images;

/// <summary>The image files and PDBs of a process's modules, from where the user said that they are.</summary>
internal sealed class ModuleFiles : IDisposable
{
    private readonly SymbolFinder _finder;

    private ModuleFiles(IReadOnlyList<ModuleFacts> modules, TargetArchitecture architecture, CaptureContext context)
    {
        _finder = new SymbolFinder(context);
        Images = new ImageFiles(modules, architecture, _finder, context.Limits);
        Pdbs = new PdbFiles(_finder, context);
    }

    public ImageFiles Images { get; }

    public PdbFiles Pdbs { get; }

    /// <summary>What was looked for and not found, until now.</summary>
    public IReadOnlyList<Gap> Gaps => [.. _finder.Gaps, .. Images.Gaps, .. Pdbs.Gaps];

    /// <summary>Null where the user named no place: then no file but the target is opened.</summary>
    public static ModuleFiles? Of(IReadOnlyList<ModuleFacts> modules, TargetArchitecture architecture, CaptureContext context)
        => context.Symbols.IsEmpty ? null : new ModuleFiles(modules, architecture, context);

    public void Dispose()
    {
        Pdbs.Dispose();
        Images.Dispose();
        _finder.Dispose();
    }
}
