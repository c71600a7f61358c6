using System.Buffers.Binary;
using System.Runtime.InteropServices;
using HangTriage.Capture.Windows.Images;

namespace HangTriage.Capture.Windows.Unwind;

/// <summary>
/// Looks for the next return address on a stack by its looks alone: a word that points into the code of an image, into
/// a function that calls at all, behind a call instruction. What it finds can be left over from an earlier call.
/// </summary>
internal sealed class ReturnAddressScan
{
    private const int MaxWordsPerScan = 16_384;
    private const long MaxWordsPerProcess = 64L << 20;
    private const int ChunkWords = 128;
    private const int LongestCall = 7;

    private readonly TargetMemory _memory;
    private readonly ImageMap _images;
    private long _wordsLeft = MaxWordsPerProcess;

    public ReturnAddressScan(TargetMemory memory, ImageMap images)
    {
        _memory = memory;
        _images = images;
    }

    /// <summary>Searches upwards from an address of the stack.</summary>
    /// <param name="from">Where to start.</param>
    /// <param name="bounds">The stack.</param>
    /// <param name="caller">The return address and the stack pointer behind it.</param>
    public bool TryFind(ulong from, StackBounds bounds, out X64Registers caller)
    {
        Span<ulong> words = stackalloc ulong[ChunkWords];
        ulong address = unchecked(from + 7) & ~7UL;
        for (int scanned = 0; scanned < MaxWordsPerScan && _wordsLeft > 0; scanned += ChunkWords)
        {
            int count = ReadWords(address, bounds, words);
            _wordsLeft -= count;
            for (int i = 0; i < count; i++)
            {
                if (IsReturnAddress(words[i]))
                {
                    caller = X64Registers.Guessed(words[i], unchecked(address + ((ulong)(i + 1) * sizeof(ulong))));
                    return true;
                }
            }

            if (count < ChunkWords)
            {
                break;
            }

            address = unchecked(address + (ChunkWords * sizeof(ulong)));
        }

        caller = default;
        return false;
    }

    /// <summary>Whether an instruction that ends at the address is a call; false where the code is not in the target's memory.</summary>
    public bool? IsBehindCall(ulong address)
    {
        Span<byte> code = stackalloc byte[LongestCall];
        if (!_memory.TryRead(unchecked(address - LongestCall), code))
        {
            return null;
        }

        // call rel32
        if (code[2] == 0xE8)
        {
            return true;
        }

        // call r/m64: FF /2 of 2 (register or [register]) to 7 bytes; its length follows from ModRM and SIB.
        for (int start = 0; start <= LongestCall - 2; start++)
        {
            if (code[start] == 0xFF && (code[start + 1] & 0x38) == 0x10 && IndirectCallSize(code[start..]) == LongestCall - start)
            {
                return true;
            }
        }

        return false;
    }

    private static int IndirectCallSize(ReadOnlySpan<byte> code)
    {
        const int NeedsSib = 4;
        int mode = code[1] >> 6;
        int operand = code[1] & 7;
        if (mode == 3)
        {
            return 2;
        }

        int size = 2 + (operand == NeedsSib ? 1 : 0);
        bool hasNoBase = mode == 0 && (operand == 5 || (operand == NeedsSib && code.Length > 2 && (code[2] & 7) == 5));
        return size + (mode == 2 || hasNoBase ? 4 : mode);
    }

    private bool IsReturnAddress(ulong word)
    {
        if (_images.Find(unchecked(word - 1)) is not { } image)
        {
            return false;
        }

        uint rva = image.Rva(word - 1);
        return image.IsCode(rva)
            && IsBehindCall(word) == true
            && image.Functions?.Find(rva, out _, out _) is not (null or FunctionLookup.None);
    }

    /// <summary>Words of the stack up to its base or the first missing byte.</summary>
    private int ReadWords(ulong address, StackBounds bounds, Span<ulong> words)
    {
        if (!bounds.Contains(address))
        {
            return 0;
        }

        int wanted = (int)Math.Min((bounds.Base - address) / sizeof(ulong), ChunkWords);
        int read = _memory.Read(address, MemoryMarshal.AsBytes(words[..wanted])) / sizeof(ulong);
        if (!BitConverter.IsLittleEndian)
        {
            BinaryPrimitives.ReverseEndianness(words[..read], words[..read]);
        }

        return read;
    }
}
