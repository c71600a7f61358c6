namespace HangTriage.Capture.Windows.Images;

/// <summary>
/// Decides by the code in between whether an address still belongs to the leaf function that starts at an export. Leaf
/// functions have no entry that says where they end, and static ones follow exported ones: what separates them is a
/// return or a jump, then padding up to an address that 16 divides.
/// </summary>
internal static class LeafFunction
{
    /// <summary>System calls take 32 bytes, string functions a few hundred.</summary>
    public const int MaxSize = 1024;

    private const int Alignment = 16;
    private const byte Return = 0xC3;
    private const byte Breakpoint = 0xCC;

    /// <summary>False where another function may start in between, or the code is not in the target's memory.</summary>
    /// <param name="memory">The target's memory.</param>
    /// <param name="start">Where the export lies.</param>
    /// <param name="address">The address in question, at or above it.</param>
    public static bool Reaches(TargetMemory memory, ulong start, ulong address)
    {
        Span<byte> buffer = stackalloc byte[MaxSize];
        if (address - start >= MaxSize || !memory.TryRead(start, buffer[..(int)(address - start)]))
        {
            return false;
        }

        ReadOnlySpan<byte> code = buffer[..(int)(address - start)];
        int first = Alignment - (int)(start % Alignment);
        for (int boundary = first; boundary <= code.Length; boundary += Alignment)
        {
            if (EndsFunction(code[Math.Max(0, boundary - Alignment)..boundary]))
            {
                return false;
            }
        }

        return true;
    }

    private static bool EndsFunction(ReadOnlySpan<byte> code)
    {
        if (code[^1] == Breakpoint)
        {
            return true;
        }

        for (int i = 0; i < code.Length; i++)
        {
            if ((code[i] == Return && IsPadding(code[(i + 1)..])) || (IsJump(code[i..], out int size) && IsPadding(code[(i + size)..])))
            {
                return true;
            }
        }

        return false;
    }

    private static bool IsJump(ReadOnlySpan<byte> code, out int size)
    {
        size = code[0] switch
        {
            0xE9 => 5,
            0xEB => 2,
            0xFF when code.Length > 1 && code[1] == 0x25 => 6,
            _ => 0,
        };
        return size > 0 && size <= code.Length;
    }

    /// <summary>Whether there is nothing but instructions without effect, or nothing at all.</summary>
    private static bool IsPadding(ReadOnlySpan<byte> code)
    {
        while (!code.IsEmpty)
        {
            int size = NoOperationSize(code);
            if (size == 0 || size > code.Length)
            {
                return false;
            }

            code = code[size..];
        }

        return true;
    }

    /// <summary>nop, xchg ax, ax, and nop r/m with any number of prefixes; 0 for anything else.</summary>
    private static int NoOperationSize(ReadOnlySpan<byte> code)
    {
        int prefixes = 0;
        while (prefixes < code.Length && code[prefixes] is 0x66 or 0x2E)
        {
            prefixes++;
        }

        ReadOnlySpan<byte> rest = code[prefixes..];
        if (!rest.IsEmpty && rest[0] == 0x90)
        {
            return prefixes + 1;
        }

        if (rest.Length < 3 || rest[0] != 0x0F || rest[1] != 0x1F)
        {
            return 0;
        }

        int sib = (rest[2] & 7) == 4 ? 1 : 0;
        return prefixes + 3 + sib + ((rest[2] >> 6) switch { 1 => 1, 2 => 4, _ => 0 });
    }
}
