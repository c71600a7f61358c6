using HangTriage.Capture.Symbols;
using HangTriage.Capture.Windows.Files;
using HangTriage.Capture.Windows.Pdb;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Images;

/// <summary>The PDBs of a process's images, found by the signature and age that the images name.</summary>
internal sealed class PdbFiles : IDisposable
{
    private readonly SymbolFinder _finder;
    private readonly CaptureContext _context;
    private readonly List<PdbFile> _open = [];
    private readonly MissingFiles _missing = new();
    private readonly List<Gap> _problems = [];

    public PdbFiles(SymbolFinder finder, CaptureContext context)
    {
        _finder = finder;
        _context = context;
    }

    /// <summary>PDBs that were looked for and not found, or not read whole.</summary>
    public IReadOnlyList<Gap> Gaps => _missing.IsEmpty ? _problems : [.. _problems, new Gap("PDBs", _missing.ToString())];

    /// <summary>Null where there is no such PDB.</summary>
    /// <exception cref="OperationCanceledException">The capture was cancelled.</exception>
    public IFunctionNames? Find(ModuleFacts module, PdbId id)
    {
        string why = "its name is none of a file";
        if (!SymbolKey.TryOfPdb(id, out SymbolKey key) || _finder.Find(key, Open, out why) is not { } pdb)
        {
            if (why == SymbolFinder.NotThere)
            {
                _missing.Add(module.Name);
            }
            else
            {
                _problems.Add(new Gap($"PDB of {module.Name}", why));
            }

            return null;
        }

        _open.Add(pdb);
        _context.Progress?.Report($"symbols: reading {id.Name}");
        PdbNames names = PdbNames.Read(pdb, _context.Limits, _context.Cancellation, out string? problem);
        if (problem is not null)
        {
            _problems.Add(new Gap($"PDB of {module.Name}", problem));
        }

        return names;

        PdbFile? Open(string path, out string problem)
        {
            PdbFile? file = PdbFile.Open(path, _context.Limits.SymbolFileBytes, out problem);
            if (file is null || file.Is(id))
            {
                return file;
            }

            file.Dispose();
            problem = "the symbol path has the PDB of another build";
            return null;
        }
    }

    public void Dispose() => _open.ForEach(static pdb => pdb.Dispose());
}
