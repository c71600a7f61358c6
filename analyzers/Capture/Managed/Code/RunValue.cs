using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Code;

/// <summary>A value while instructions are run on the target's memory: a number, an object, where a field is, or not known.</summary>
internal readonly record struct RunValue
{
    public static RunValue Unknown => default;

    /// <summary>Null for what is no number, and not known.</summary>
    public long? Number { get; private init; }

    /// <summary>Null for what is no object; a null object for the null reference.</summary>
    public ClrObject? Object { get; private init; }

    /// <summary>Of a field; null for other values.</summary>
    public (ulong At, ClrElementType Type)? Field { get; private init; }

    /// <summary>How a condition takes it; null where it is not known.</summary>
    public bool? IsTrue => Number is { } number ? number != 0 : Object is { } found ? !found.IsNull : Field is not null ? true : null;

    public static RunValue Of(long number) => new() { Number = number };

    public static RunValue Of(bool truth) => Of(truth ? 1 : 0);

    public static RunValue Of(ClrObject found) => new() { Object = found };

    public static RunValue Place(ulong at, ClrElementType type) => at == 0 ? Unknown : new RunValue { Field = (at, type) };

    /// <summary>Whether both are the same; null where one is not known.</summary>
    public static bool? AreEqual(RunValue left, RunValue right)
        => left.Number is { } one && right.Number is { } other ? one == other
            : left.Object is { } first && right.Object is { } second ? first.Address == second.Address
            : left.Object is { IsNull: true } && right.Number is { } zero ? zero == 0
            : right.Object is { IsNull: true } && left.Number is { } none ? none == 0
            : null;

    /// <summary>What stands in the field.</summary>
    public RunValue Read(ClrHeap heap)
    {
        if (Field is not var (at, type))
        {
            return Unknown;
        }

        IDataReader reader = heap.Runtime.DataTarget.DataReader;
        return type switch
        {
            ClrElementType.Boolean or ClrElementType.UInt8 => reader.Read(at, out byte value) ? Of(value) : Unknown,
            ClrElementType.Int8 => reader.Read(at, out sbyte value) ? Of(value) : Unknown,
            ClrElementType.Int16 => reader.Read(at, out short value) ? Of(value) : Unknown,
            ClrElementType.UInt16 or ClrElementType.Char => reader.Read(at, out ushort value) ? Of(value) : Unknown,
            ClrElementType.Int32 => reader.Read(at, out int value) ? Of(value) : Unknown,
            ClrElementType.UInt32 => reader.Read(at, out uint value) ? Of(value) : Unknown,
            ClrElementType.Int64 => reader.Read(at, out long value) ? Of(value) : Unknown,
            ClrElementType.Class or ClrElementType.Object or ClrElementType.String or ClrElementType.SZArray
                => reader.ReadPointer(at, out ulong address) ? Of(address == 0 ? default : heap.GetObject(address)) : Unknown,
            _ => Unknown,
        };
    }
}
