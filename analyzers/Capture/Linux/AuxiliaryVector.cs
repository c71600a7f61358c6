namespace HangTriage.Capture.Linux;

/// <summary>What the kernel tells a program at its start, as getauxval has it. Null where the vector does not say.</summary>
internal sealed record AuxiliaryVector
{
    public static AuxiliaryVector Empty { get; } = new();

    /// <summary>The program headers of the main program (AT_PHDR).</summary>
    public ulong? ProgramHeaders { get; init; }

    /// <summary>The base of the dynamic loader (AT_BASE).</summary>
    public ulong? Loader { get; init; }

    /// <summary>16 random bytes (AT_RANDOM).</summary>
    public ulong? Random { get; init; }

    /// <summary>The image of the kernel in the process (AT_SYSINFO_EHDR).</summary>
    public ulong? SystemPage { get; init; }

    /// <param name="vector">Pairs of a key and a value, a word each.</param>
    /// <param name="is64Bit">Whether a word has 64 bits.</param>
    public static AuxiliaryVector Parse(ReadOnlySpan<byte> vector, bool is64Bit)
    {
        AuxiliaryVector found = Empty;
        int word = is64Bit ? 8 : 4;
        for (int at = 0; at + (2 * word) <= vector.Length; at += 2 * word)
        {
            ulong key = is64Bit ? ElfFields.U64(vector, at) : ElfFields.U32(vector, at);
            ulong value = is64Bit ? ElfFields.U64(vector, at + word) : ElfFields.U32(vector, at + word);
            found = key switch
            {
                3 when found.ProgramHeaders is null => found with { ProgramHeaders = value },
                7 when found.Loader is null => found with { Loader = value },
                25 when found.Random is null => found with { Random = value },
                33 when found.SystemPage is null => found with { SystemPage = value },
                _ => found,
            };
        }

        return found;
    }
}
