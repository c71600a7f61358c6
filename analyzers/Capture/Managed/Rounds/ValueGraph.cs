using System.Buffers;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using HangTriage.Capture.Managed.Reading;
using HangTriage.Capture.Managed.Tasks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Rounds;

/// <summary>
/// What objects amount to, wherever they lie: their types and values, and how they refer to each other. Two graphs with the same text are
/// the same to the program, if it does not compare references of objects that are made anew.
/// </summary>
internal sealed class ValueGraph(ClrRuntime runtime)
{
    private const int MostObjects = 50_000;
    private const int MostBytes = 8 << 20;
    private const int ArrayHeader = 2 * sizeof(ulong);
    private const string Collections = "System.Collections.";
    private const string Generic = Collections + "Generic.";

    // Who waits for a lock is no matter of the one who works; types describe themselves.
    private static readonly string[] s_leftOut = ["System.Threading.", "System.Runtime", "System.Reflection."];

    // What their changes are counted by, and where a search of theirs ended last.
    private static readonly string[] s_counts = ["_version", "_syncRoot"];

    private static readonly string[] s_lists = [Generic + "List<", Generic + "Stack<", Generic + "Queue<"];

    private readonly ArrayBufferWriter<byte> _text = new();
    private readonly Dictionary<ulong, int> _numbers = [];
    private readonly Queue<ClrObject> _open = [];

    /// <summary>Methods that delegates among the objects would run.</summary>
    public HashSet<ClrMethod> Methods { get; } = [];

    /// <summary>Types of the objects.</summary>
    public HashSet<ClrType> Types { get; } = [];

    /// <summary>False where there are too many objects, or one cannot be read.</summary>
    public bool IsWhole { get; private set; } = true;

    public void Add(ReadOnlySpan<byte> bytes) => _text.Write(bytes);

    /// <summary>A word of the frame: a reference, a place within an object, or a number.</summary>
    public void Add(ulong word)
    {
        if (word % sizeof(uint) != 0 || runtime.Heap.GetSegmentByAddress(word) is null)
        {
            Write(word);
            return;
        }

        using TypeGuesses guesses = new(runtime.DataTarget.DataReader);
        ClrObject found = runtime.Heap.GetObject(word);
        if (word % sizeof(ulong) == 0 && found is { IsValid: true, IsFree: false })
        {
            Write((ulong)Number(found));
            return;
        }

        ClrObject around = runtime.Heap.FindPreviousObjectOnSegment(word, carefully: true);
        if (around is not { IsValid: true, IsFree: false } || around.Address + around.Size < word)
        {
            IsWhole = false;
            return;
        }

        Write((ulong)Number(around));
        Write(word - around.Address);
    }

    /// <summary>A hash of all that was added, and what that leads to; null where it is not whole.</summary>
    public string? Finish()
    {
        while (IsWhole && _open.TryDequeue(out ClrObject next))
        {
            Read(next);
            IsWhole &= _text.WrittenCount <= MostBytes;
        }

        return IsWhole ? Hash(_text.WrittenSpan) : null;
    }

    public static string Hash(ReadOnlySpan<byte> bytes)
        => BitConverter.ToUInt64(SHA256.HashData(bytes)).ToString("x16", CultureInfo.InvariantCulture);

    private int Number(ClrObject found)
    {
        if (_numbers.TryGetValue(found.Address, out int number))
        {
            return number;
        }

        number = _numbers.Count + 1;
        IsWhole &= number <= MostObjects;
        _numbers.Add(found.Address, number);
        _open.Enqueue(found);
        return number;
    }

    private void Read(ClrObject found)
    {
        Types.Add(found.Type!);
        Write(found.Type!.MethodTable);
        string name = found.Type.Name ?? string.Empty;
        if (Array.Exists(s_leftOut, type => name.StartsWith(type, StringComparison.Ordinal)))
        {
            return;
        }

        if (DelegateMethod.Of(found) is { } method)
        {
            Methods.Add(method);
        }

        if (Array.Exists(s_lists, type => name.StartsWith(type, StringComparison.Ordinal)) && ReadList(found))
        {
            return;
        }

        if (found.Size > MostBytes)
        {
            IsWhole = false;
            return;
        }

        byte[] bytes = new byte[(int)found.Size];
        if (runtime.DataTarget.DataReader.Read(found.Address, bytes) != bytes.Length)
        {
            IsWhole = false;
            return;
        }

        if (name.StartsWith(Collections, StringComparison.Ordinal))
        {
            Clear(found, bytes);
        }

        Write(found, bytes, 0, bytes.Length);
    }

    // Not the room that is left in its array, with what was there once.
    private bool ReadList(ClrObject list)
    {
        if (list.Type!.GetFieldByName("_size") is not { } size
            || (list.Type.GetFieldByName("_items") ?? list.Type.GetFieldByName("_array")) is not { IsObjectReference: true } held
            || held.ReadObject(list.Address, interior: false) is not { IsNull: false, Type.ComponentSize: > 0 } array)
        {
            return false;
        }

        int count = size.Read<int>(list.Address, interior: false);
        int head = list.Type.GetFieldByName("_head")?.Read<int>(list.Address, interior: false) ?? 0;
        int item = array.Type.ComponentSize;
        ClrArray elements = array.AsArray();
        if (count < 0 || count > elements.Length || head < 0 || (head > 0 && head >= elements.Length) || (long)count * item > MostBytes)
        {
            return false;
        }

        Write((ulong)count);
        byte[] bytes = new byte[ArrayHeader + (elements.Length * item)];
        if (runtime.DataTarget.DataReader.Read(array.Address, bytes) != bytes.Length)
        {
            return false;
        }

        int first = Math.Min(count, elements.Length - head);
        Write(array, bytes, ArrayHeader + (head * item), first * item);
        Write(array, bytes, ArrayHeader, (count - first) * item);
        return true;
    }

    private static void Clear(ClrObject found, byte[] bytes)
    {
        foreach (string count in s_counts)
        {
            if (found.Type!.GetFieldByName(count) is { } field
                && (int)(field.GetAddress(found.Address, interior: false) - found.Address) is var at
                && at > 0 && at + field.Size <= bytes.Length)
            {
                bytes.AsSpan(at, field.Size).Clear();
            }
        }
    }

    private void Write(ClrObject found, byte[] bytes, int start, int length)
    {
        if (!found.Type!.ContainsPointers)
        {
            _text.Write(bytes.AsSpan(start, length));
            return;
        }

        Dictionary<ulong, ClrObject> leads = [];
        foreach (ClrObject next in found.EnumerateReferences(carefully: true, considerDependantHandles: false))
        {
            leads.TryAdd(next.Address, next);
        }

        // Past the word that tells the type.
        for (int at = Math.Max(start, sizeof(ulong)); at < start + length; at += sizeof(ulong))
        {
            if (at + sizeof(ulong) > start + length)
            {
                _text.Write(bytes.AsSpan(at, start + length - at));
                break;
            }

            ulong word = MemoryMarshal.Read<ulong>(bytes.AsSpan(at));
            Write(leads.TryGetValue(word, out ClrObject next) && next is { IsValid: true } ? (ulong)Number(next) : word);
        }
    }

    private void Write(ulong value) => _text.Write(BitConverter.GetBytes(value));
}
