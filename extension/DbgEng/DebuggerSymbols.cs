using System.Text;
using HangTriage.Capture.Windows;
using HangTriage.DbgEng.Engine;

namespace HangTriage.DbgEng;

/// <summary>Names of functions by the debugger's symbols. Where it has exports alone, it knows no more than the image says.</summary>
internal sealed unsafe class DebuggerSymbols(IDebugSymbols2 symbols, InterruptWatch watch) : IFunctionNamer
{
    private const int NameBytes = 2_048;

    private readonly Dictionary<ulong, bool> _hasSymbols = [];

    public bool TryName(ulong address, out string name, out ulong start)
    {
        byte* text = stackalloc byte[NameBytes];
        uint used = 0;
        name = string.Empty;
        start = 0;
        ulong displacement = 0;
        if (watch.IsStopped
            || !watch.Succeeded(symbols.GetNameByOffset(address, text, NameBytes, &used, out displacement))
            || used <= 1
            || displacement > address
            || !HasSymbols(address))
        {
            return false;
        }

        string full = Encoding.UTF8.GetString(text, (int)Math.Min(used, NameBytes) - 1);
        int mark = full.IndexOf('!', StringComparison.Ordinal);
        name = full[(mark + 1)..];
        start = address - displacement;
        return mark >= 0 && name.Length > 0;
    }

    /// <summary>Asked behind a name, which makes the debugger load what it has.</summary>
    private bool HasSymbols(ulong address)
    {
        if (!watch.Succeeded(symbols.GetModuleByOffset(address, 0, out _, out ulong module)))
        {
            return false;
        }

        if (!_hasSymbols.TryGetValue(module, out bool has))
        {
            DebugModuleParameters parameters;
            has = watch.Succeeded(symbols.GetModuleParameters(1, &module, 0, &parameters))
                && parameters.SymbolType is not (DebugModuleParameters.None or DebugModuleParameters.Exports or DebugModuleParameters.NotLoadedYet);
            _hasSymbols.Add(module, has);
        }

        return has;
    }
}
