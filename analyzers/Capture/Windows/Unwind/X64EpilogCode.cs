using System.Buffers.Binary;
using HangTriage.Capture.Windows.Images;

namespace HangTriage.Capture.Windows.Unwind;

/// <summary>
/// Recognises the rest of an epilog by its machine code, and executes it. The ABI allows an epilog only: release of
/// the locals (add rsp, or lea rsp from the frame register), pops, and a return or a jump out of the function.
/// </summary>
internal ref struct X64EpilogCode
{
    private const int MaxSize = 48; // the release, sixteen pops of two bytes, and a jump

    private readonly TargetMemory _memory;
    private readonly Image _image;
    private readonly FunctionEntry _range;
    private readonly bool _isChained;
    private readonly int _frameRegister;
    private CodeBytes _code;
    private int _popsStart;
    private int _popsEnd;

    public X64EpilogCode(TargetMemory memory, Image image, FunctionEntry range, bool isChained, int frameRegister)
    {
        _memory = memory;
        _image = image;
        _range = range;
        _isChained = isChained;
        _frameRegister = frameRegister;
    }

    /// <summary>Whether an epilog continues at the address; code that is not in the target's memory is taken for none.</summary>
    public bool Matches(ulong rip)
    {
        Span<byte> code = _code;
        _memory.Read(rip, code);
        _popsStart = ReleaseSize(code);
        _popsEnd = _popsStart;
        while (PopSize(code[_popsEnd..]) is > 0 and int size && _popsEnd + size <= MaxSize - 8)
        {
            _popsEnd += size;
        }

        ReadOnlySpan<byte> last = code[_popsEnd..];
        int prefix = last[0] == 0xF2 ? 1 : 0; // bnd
        last = last[prefix..];
        return last[0] switch
        {
            0xC3 or 0xC2 => true,
            0xF3 => last[1] == 0xC3,
            0xEB => LeavesFunction(rip, _popsEnd + prefix + 2, (sbyte)last[1]),
            0xE9 => LeavesFunction(rip, _popsEnd + prefix + 5, BinaryPrimitives.ReadInt32LittleEndian(last[1..])),
            0xFF => last[1] == 0x25,
            // The prefix has no effect on such a jump: compilers set it to mark a tail call.
            >= 0x48 and <= 0x4F => last[1] == 0xFF && (last[2] & 0x38) == 0x20,
            _ => false,
        };
    }

    /// <summary>Executes what <see cref="Matches"/> found, up to the return.</summary>
    public UnwindStatus Run(ref X64Registers registers)
    {
        ReadOnlySpan<byte> code = _code;
        if (_popsStart > 0)
        {
            long displacement = _popsStart == 4 ? (sbyte)code[3] : BinaryPrimitives.ReadInt32LittleEndian(code[3..]);
            ulong start = registers.Rsp;
            if (code[1] == 0x8D && !registers.TryGet(_frameRegister, out start))
            {
                return UnwindStatus.NoFrameRegister;
            }

            registers.Rsp = unchecked(start + (ulong)displacement);
        }

        for (int i = _popsStart; i < _popsEnd; i += PopSize(code[i..]))
        {
            if (!_memory.TryReadUInt64(registers.Rsp, out ulong value))
            {
                return UnwindStatus.NoStack;
            }

            registers.Rsp = unchecked(registers.Rsp + sizeof(ulong));
            registers.Set(PopSize(code[i..]) == 1 ? code[i] & 7 : ((code[i] & 1) << 3) | (code[i + 1] & 7), value);
        }

        return UnwindStatus.Done;
    }

    private readonly int ReleaseSize(ReadOnlySpan<byte> code)
    {
        if (code[0] == 0x48 && code[2] == 0xC4)
        {
            return code[1] switch
            {
                0x83 => 4, // add rsp, imm8
                0x81 => 7, // add rsp, imm32
                _ => 0,
            };
        }

        bool isFrameBased = (code[0] & 0xFE) == 0x48
            && code[1] == 0x8D
            && _frameRegister != 0
            && _frameRegister == (((code[0] & 1) << 3) | (code[2] & 7));
        return !isFrameBased
            ? 0
            : (code[2] & 0xF8) switch
            {
                0x60 => 4, // lea rsp, [frame+disp8]
                0xA0 => 7, // lea rsp, [frame+disp32]
                _ => 0,
            };
    }

    private static int PopSize(ReadOnlySpan<byte> code)
        => (code[0] & 0xF8) == 0x58 ? 1 : (code[0] & 0xF0) == 0x40 && (code[1] & 0xF8) == 0x58 ? 2 : 0;

    /// <summary>A jump within the function, to a moved part of it too, is no tail call; one to its own start is.</summary>
    private readonly bool LeavesFunction(ulong rip, int end, int displacement)
    {
        long target = unchecked((long)(rip - _image.Base) + end + displacement);
        if (target >= _range.Begin && target < _range.End)
        {
            return target == _range.Begin && !_isChained;
        }

        if (target < 0 || (ulong)target >= _image.Module.Size)
        {
            return true;
        }

        FunctionTable functions = _image.Functions!;
        return functions.Find((uint)target, out FunctionEntry other, out _) != FunctionLookup.Found
            || !functions.TryGetPrimary(other, out FunctionEntry otherPrimary)
            || !functions.TryGetPrimary(_range, out FunctionEntry primary)
            || primary.Begin != otherPrimary.Begin
            || target == primary.Begin;
    }

    [System.Runtime.CompilerServices.InlineArray(MaxSize)]
    private struct CodeBytes
    {
        private byte _first;
    }
}
