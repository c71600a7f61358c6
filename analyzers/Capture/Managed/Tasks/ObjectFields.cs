using System.Runtime.CompilerServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks;

/// <summary>Reads fields by name; what a type does not have is absent, since layouts differ between versions.</summary>
internal static class ObjectFields
{
    private const int MostFields = 256;

    // ClrMD looks through the names of all fields each time, and graphs of many tasks ask for the same ones again and again.
    private static readonly ConditionalWeakTable<ClrType, Dictionary<string, ClrInstanceField?>> s_fields = [];

    /// <summary>The first of the fields that the type has; a null object where it has none.</summary>
    public static ClrObject Reference(this ClrObject target, params ReadOnlySpan<string> names)
    {
        foreach (string name in names)
        {
            if (FieldOf(target.Type, name) is { IsObjectReference: true } field)
            {
                return field.ReadObject(target.Address, interior: false);
            }
        }

        return default;
    }

    public static int? Number(this ClrObject target, string name)
        => FieldOf(target.Type, name) is { ElementType: ClrElementType.Int32 or ClrElementType.UInt32 } field
            ? field.Read<int>(target.Address, interior: false)
            : null;

    /// <summary>A field of the name is there, and true.</summary>
    public static bool IsTrue(this ClrObject target, string name)
        => FieldOf(target.Type, name) is { ElementType: ClrElementType.Boolean } field && field.Read<bool>(target.Address, interior: false);

    public static bool Has(this ClrObject target, string name) => FieldOf(target.Type, name) is not null;

    private static ClrInstanceField? FieldOf(ClrType? type, string name)
    {
        if (type is null)
        {
            return null;
        }

        Dictionary<string, ClrInstanceField?> fields = s_fields.GetOrCreateValue(type);
        lock (fields)
        {
            if (!fields.TryGetValue(name, out ClrInstanceField? field))
            {
                field = type.GetFieldByName(name);
                fields.Add(name, field);
            }

            return field;
        }
    }

    /// <summary>The elements of an array of references, or of a List's, up to the limit; none of an array that holds structures.</summary>
    public static IEnumerable<ClrObject> Elements(this ClrObject list, int limit)
    {
        ClrObject array = list.Type is null || list.IsArray ? list : list.Reference("_items");
        if (array.Type is null || !array.IsArray || array.Type.ComponentType is { IsObjectReference: false } || array.AsArray().Rank != 1)
        {
            yield break;
        }

        int count = Math.Min(limit, Math.Min(array.AsArray().Length, list.Number("_size") ?? int.MaxValue));
        for (int index = 0; index < count; index++)
        {
            ClrObject element = array.AsArray().GetObjectValue(index);
            if (!element.IsNull)
            {
                yield return element;
            }
        }
    }

    /// <summary>What the fields of an object refer to; nothing of an array.</summary>
    public static IEnumerable<ClrObject> ReferencesOf(ClrObject holder)
        => holder.Type is { IsArray: false, ContainsPointers: true } type
            ? type.Fields.Take(MostFields).Where(field => field.IsObjectReference).Select(field => field.ReadObject(holder.Address, interior: false)).Where(value => !value.IsNull)
            : [];

    /// <summary>The objects that a structure holds, in those that it is made of too.</summary>
    public static IEnumerable<ClrObject> ObjectsIn(ClrType? type, ulong address, int depth = 3)
    {
        foreach (ClrInstanceField field in type?.Fields ?? [])
        {
            if (field.IsObjectReference)
            {
                if (ObjectAt(type!, field.GetAddress(address, interior: true)) is { IsNull: false } value)
                {
                    yield return value;
                }
            }
            else if (field.IsValueType && depth > 0 && field.Type is { IsPrimitive: false } inner && inner != type)
            {
                foreach (ClrObject value in ObjectsIn(inner, field.GetAddress(address, interior: true), depth - 1))
                {
                    yield return value;
                }
            }
        }
    }

    // Of a structure that code of several types shares the layout is a guess, and a number can stand where a reference is looked for.
    private static ClrObject ObjectAt(ClrType type, ulong address)
        => type.Module.AppDomain.Runtime.DataTarget.DataReader.ReadPointer(address, out ulong reference) && type.Heap.GetSegmentByAddress(reference) is not null
            ? type.Heap.GetObject(reference)
            : default;

    /// <summary>The type, what it derives from, and so on; at most so many, as a damaged heap can have them without end.</summary>
    public static IEnumerable<ClrType> WithBases(this ClrType? type, int most)
    {
        for (int count = 0; type is not null && count < most; count++, type = type.BaseType)
        {
            yield return type;
        }
    }
}
