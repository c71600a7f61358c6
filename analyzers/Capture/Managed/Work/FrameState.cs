using System.Globalization;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using HangTriage.Capture.Managed.Reading;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Work;

/// <summary>
/// Hashes of the variables of a frame: of the words that are its own, and of the registers that a method keeps across its calls.
/// </summary>
internal sealed class FrameState(ClrRuntime runtime, IReadOnlyList<ClrStackFrame> frames, int index)
{
    private const int MostBytes = 16 << 10;
    private const int HashBytes = 8;

    // CONTEXT of winnt.h: rbx, rbp, r12 to r15; Windows keeps rsi and rdi as well.
    private static readonly int[] s_keptX64 = [0x90, 0xA0, 0xD8, 0xE0, 0xE8, 0xF0];
    private static readonly int[] s_keptWindows = [.. s_keptX64, 0xA8, 0xB0];

    private const int BehindRbp = 2 * sizeof(ulong);

    // All but rsp and rip.
    private static readonly int[] s_allX64 = [0x78, 0x80, 0x88, 0x90, 0xA0, 0xA8, 0xB0, 0xB8, 0xC0, 0xC8, 0xD0, 0xD8, 0xE0, 0xE8, 0xF0];

    /// <summary>
    /// Null on other processors than x64, where the registers are not known, and where the frame's words cannot be read or its end is not
    /// known.
    /// </summary>
    public string? Locals() => Words() is { } words ? Hash(words) : null;

    /// <summary>The same, but of references no more than the types of what they lead to: collections move objects.</summary>
    public string? Outline()
    {
        if (Words() is not { } words)
        {
            return null;
        }

        using TypeGuesses guesses = new(runtime.DataTarget.DataReader);
        Span<ulong> all = MemoryMarshal.Cast<byte, ulong>(words.AsSpan());
        foreach (ref ulong word in all)
        {
            if (word % sizeof(ulong) == 0 && runtime.Heap.GetSegmentByAddress(word) is not null)
            {
                word = runtime.Heap.GetObjectType(word)?.MethodTable ?? word;
            }
        }

        return Hash(words);
    }

    private byte[]? Words()
    {
        ulong start = frames[index].StackPointer;
        ulong end = HasContext() ? End(start) : 0;
        if (end <= start || end - start > MostBytes)
        {
            return null;
        }

        byte[] words = new byte[(int)(end - start)];
        if (runtime.DataTarget.DataReader.Read(start, words) != words.Length)
        {
            return null;
        }

        ulong pointer = BitConverter.ToUInt64(frames[index].Context.Slice(ContextX64.Rbp, sizeof(ulong)));
        if (RoundCounter.Of(runtime, frames[index]) is { } counter && unchecked(pointer + (ulong)counter) is var place && place >= start
            && place + sizeof(int) <= end)
        {
            words.AsSpan((int)(place - start), sizeof(int)).Clear();
        }

        int[] kept = index == 0 ? [] : runtime.DataTarget.DataReader.TargetPlatform == OSPlatform.Windows ? s_keptWindows : s_keptX64;
        byte[] registers = [.. kept.SelectMany(at => frames[index].Context.Slice(at, sizeof(ulong)).ToArray())];
        return [.. words, .. registers];
    }

    /// <summary>Each register by itself; null where they are not known.</summary>
    public IReadOnlyList<string>? Registers()
        => HasContext() ? [.. s_allX64.Select(at => Hash(frames[index].Context.Slice(at, sizeof(ulong))))] : null;

    /// <summary>Each register for floating-point numbers, of the innermost frame; null where they are not in the input.</summary>
    public IReadOnlyList<string>? FloatRegisters(uint thread)
        => HasContext() && ContextX64.Floats(runtime.DataTarget.DataReader, thread, frames[index].InstructionPointer) is { } floats
            ? [.. floats.Chunk(ContextX64.FloatBytes).Select(register => Hash(register))]
            : null;

    /// <summary>
    /// The objects that registers lead to: of a thread caught between two safe points the runtime does not say where it keeps its own.
    /// </summary>
    public IReadOnlyList<ClrObject> InRegisters() => HasContext() ? StackRoots.InRegisters(runtime, frames[index].Context) : [];

    // Of the outermost frame the frame pointer tells: below what it points at is what the method has.
    private ulong End(ulong start)
        => frames.Skip(index + 1).Select(frame => frame.StackPointer).FirstOrDefault(sp => sp > start) is > 0 and var caller ? caller
            : BitConverter.ToUInt64(frames[index].Context.Slice(ContextX64.Rbp, sizeof(ulong))) + BehindRbp;

    public static string Hash(ReadOnlySpan<byte> bytes)
        => BitConverter.ToUInt64(SHA256.HashData(bytes).AsSpan(0, HashBytes)).ToString("x16", CultureInfo.InvariantCulture);

    private bool HasContext()
        => runtime.DataTarget.DataReader.Architecture == Architecture.X64 && frames[index].Context.Length >= ContextX64.Size;
}
