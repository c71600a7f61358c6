using HangTriage.Facts;

namespace HangTriage.Capture.Symbols;

/// <summary>What a file is called in a symbol store: its name, and an index that tells its builds apart.</summary>
/// <param name="FileName">Without folders, fit to be the name of a file on every system.</param>
/// <param name="Index">Letters and digits.</param>
internal readonly record struct SymbolKey(string FileName, string Index)
{
    private const int MaxLength = 200;

    private static readonly string[] s_devices = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];

    /// <summary>An image: time stamp of eight digits, then the size in memory. False where the name comes with a folder or worse.</summary>
    public static bool TryOfImage(string name, uint timeDateStamp, uint size, out SymbolKey key)
    {
        key = new SymbolKey(name, $"{timeDateStamp:X8}{size:x}");
        return IsFileName(name);
    }

    /// <summary>A PDB: signature without dashes, then the age.</summary>
    public static bool TryOfPdb(PdbId pdb, out SymbolKey key)
    {
        key = new SymbolKey(pdb.Name, $"{pdb.Signature.ToString("N").ToUpperInvariant()}{pdb.Age:x}");
        return IsFileName(pdb.Name);
    }

    /// <summary>Names come from dumps: one that leads out of its folder, to a device or to a stream of a file is not used.</summary>
    private static bool IsFileName(string name)
    {
        if (name.Length is 0 or > MaxLength || name[0] is '.' or ' ' || name[^1] is '.' or ' ')
        {
            return false;
        }

        foreach (char c in name)
        {
            if (c < ' ' || c is '/' or '\\' or ':' or '*' or '?' or '"' or '<' or '>' or '|' or '%')
            {
                return false;
            }
        }

        int dot = name.IndexOf('.');
        string stem = (dot < 0 ? name : name[..dot]).TrimEnd().ToUpperInvariant();
        return Array.IndexOf(s_devices, stem) < 0
            && !(stem.Length == 4 && (stem.StartsWith("COM", StringComparison.Ordinal) || stem.StartsWith("LPT", StringComparison.Ordinal)));
    }
}
