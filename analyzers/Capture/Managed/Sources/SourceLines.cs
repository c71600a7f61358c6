using HangTriage.Capture.Symbols;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Sources;

/// <summary>
/// Finds the lines of source that the program's managed frames come from: in portable PDBs embedded in the module's file, beside it, or
/// in the symbol path, each of which counts only if it has the id that the module in the target names. A library that brings its PDB
/// was built elsewhere than the program: nobody here has its sources.
/// </summary>
internal sealed class SourceLines(CaptureContext context) : IDisposable
{
    private const int RowOfToken = 0xFFFFFF;

    private readonly SymbolFinder _finder = new(context);
    private readonly Dictionary<ulong, PortablePdb?> _pdbs = [];
    private readonly Dictionary<ulong, PortablePdb?> _ofProgram = [];
    private readonly Dictionary<(ulong Method, ulong Instruction), SourceLine?> _lines = [];

    /// <summary>
    /// The line of a frame; where the runtime has no map of its code, as of what was compiled again, that where its method begins.
    /// </summary>
    /// <param name="frame">A frame of a managed method.</param>
    /// <param name="isLeaf">The instruction pointer is where the thread is; otherwise it is where a call returns to.</param>
    public SourceLine? Of(ClrStackFrame frame, bool isLeaf)
    {
        if (frame.Method is not { } method || method.Type?.Module is not { } module || PdbOf(module) is not { } pdb)
        {
            return null;
        }

        // Threads of one kind stand in the same places, and the runtime computes its map of a method anew each time.
        (ulong Method, ulong Instruction) place = (method.MethodDesc, isLeaf ? frame.InstructionPointer : frame.InstructionPointer - 1);
        if (!_lines.TryGetValue(place, out SourceLine? line))
        {
            line = pdb.Find(method.MetadataToken, IlOffset(method, place.Instruction) ?? 0, context.Limits.NameLength);
            _lines.Add(place, line);
        }

        return line;
    }

    /// <param name="machine">The type of an async method's state machine.</param>
    /// <param name="moveNextToken">Its method that has the instructions.</param>
    /// <param name="state">The state in which the method is suspended.</param>
    public SourceLine? OfAwait(ClrType machine, int moveNextToken, int state)
        => machine.Module is { } module && PdbOf(module) is { } pdb ? pdb.FindAwait(moveNextToken, state, context.Limits.NameLength) : null;

    /// <param name="method">A method.</param>
    /// <param name="offset">A place in its IL.</param>
    public SourceLine? OfIl(ClrMethod method, int offset)
        => method.Type?.Module is { } module ? OfIl(module, method.MetadataToken, offset) : null;

    /// <param name="module">A module.</param>
    /// <param name="token">A method of it.</param>
    /// <param name="offset">A place in its IL.</param>
    public SourceLine? OfIl(ClrModule module, int token, int offset) => PdbOf(module)?.Find(token, offset, context.Limits.NameLength);

    /// <summary>The part of the method's IL that an instruction was made of; null where the runtime has no map of it.</summary>
    public static (int Start, int End)? Statement(ClrMethod method, ulong ip)
        => MapOf(method, ip) is var map && IlOffset(map, ip) is int start
            ? (start, map.Select(entry => entry.IlOffset).Where(offset => offset > start).DefaultIfEmpty(int.MaxValue).Min())
            : null;

    /// <summary>Where in the method's IL an instruction comes from; null where the runtime has no map of it.</summary>
    /// <remarks>Compilers mark prologues and code of no line with negative offsets; the innermost mark before the instruction counts.</remarks>
    public static int? IlOffset(ClrMethod method, ulong ip) => IlOffset(MapOf(method, ip), ip);

    private static int? IlOffset(IReadOnlyList<(ulong Place, int IlOffset)> map, ulong ip)
    {
        int? best = null;
        ulong start = 0;
        foreach ((ulong place, int offset) in map)
        {
            if (offset >= 0 && place <= ip && (best is null || place > start || (place == start && offset < best)))
            {
                best = offset;
                start = place;
            }
        }

        return best;
    }

    // ClrMD's is that of the code which was made first. What the runtime has made itself has no instructions of a module: asked for the map
    // of a stub that instantiates a generic method, its library crashes (.NET 10).
    private static IReadOnlyList<(ulong Place, int IlOffset)> MapOf(ClrMethod method, ulong ip)
        => IsMadeByRuntime(method) ? []
            : !IsOfMap(method, ip) ? NativeMap.Of(method, ip)
            : method.ILOffsetMap.Where(entry => IsOfMap(method, entry.StartAddress))
                .Select(entry => (entry.StartAddress, entry.ILOffset)).ToArray() is { Length: > 0 } map ? map
            : NativeMap.Of(method);

    private static bool IsMadeByRuntime(ClrMethod method) => (method.MetadataToken & RowOfToken) == 0;

    public void Dispose()
    {
        _finder.Dispose();
        foreach (PortablePdb? pdb in _pdbs.Values)
        {
            pdb?.Dispose();
        }
    }

    // A method that was compiled again (tiers, on-stack replacement) has several codes. ClrMD has the bounds of the one that is called now,
    // and the runtime's library gives the map of the first: it ends before that code, and its last line looked like the one of each place.
    private static bool IsOfMap(ClrMethod method, ulong ip)
        => method.HotColdInfo is var code && (code.HotSize == 0 || ip - code.HotStart < code.HotSize || (code.ColdSize > 0 && ip - code.ColdStart < code.ColdSize));

    private PortablePdb? PdbOf(ClrModule module)
    {
        if (!_ofProgram.TryGetValue(module.Address, out PortablePdb? known))
        {
            known = AnyPdbOf(module) is { } pdb && IsOfProgram(module, pdb) ? pdb : null;
            _ofProgram.Add(module.Address, known);
        }

        return known;
    }

    // Where the program was built so that its folder is unknown, all may be its own.
    private bool IsOfProgram(ClrModule module, PortablePdb pdb)
        => ProgramModule.Of(module.AppDomain) is not { } program
            || program == module
            || AnyPdbOf(program)?.Root is not { } root
            || root is SourceRoot.Unknown or SourceRoot.Mapped
            || (pdb.Root is var own && (own == SourceRoot.Unknown || own == root));

    private PortablePdb? AnyPdbOf(ClrModule module)
    {
        if (_pdbs.TryGetValue(module.Address, out PortablePdb? known))
        {
            return known;
        }

        PortablePdb? pdb = Open(module);
        _pdbs.Add(module.Address, pdb);
        return pdb;
    }

    private PortablePdb? Open(ClrModule module)
    {
        if (module.Pdb is not { } named || named.Guid == Guid.Empty)
        {
            return null;
        }

        long limit = context.Limits.PortablePdbBytes;
        PortablePdb? beside = module.Name is { Length: > 0 } path
            ? PortablePdb.OpenEmbedded(path, named.Guid, limit) ?? PortablePdb.Open(Path.ChangeExtension(path, ".pdb"), named.Guid, limit, out _)
            : null;
        if (beside is not null || named.Path is not { Length: > 0 } name)
        {
            return beside;
        }

        // A store keeps portable PDBs under an age of all ones.
        PdbId id = new(name[(name.LastIndexOfAny(['/', '\\']) + 1)..], named.Guid, uint.MaxValue);
        return SymbolKey.TryOfPdb(id, out SymbolKey key)
            ? _finder.Find(key, (string candidate, out string problem) => PortablePdb.Open(candidate, named.Guid, limit, out problem), out _)
            : null;
    }
}
