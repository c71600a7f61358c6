using System.Collections;
using System.Reflection;
using HangTriage.Facts;

namespace HangTriage.Tests.Unit.Gaps;

/// <summary>Changes one property of an immutable record, and one item of a list, without knowing their types.</summary>
internal static class Records
{
    private const string Clone = "<Clone>$";

    /// <summary>What can be changed: every property that can be set when the record is made.</summary>
    public static IEnumerable<PropertyInfo> PropertiesOf(Type record)
        => record.GetProperties(BindingFlags.Public | BindingFlags.Instance).Where(property => property is { CanRead: true, CanWrite: true });

    /// <summary>A record of the facts that is not a gap.</summary>
    public static bool IsRecord(Type type) => type.Assembly == typeof(ProcessSnapshot).Assembly && type.GetMethod(Clone) is not null && type != typeof(Gap);

    public static bool IsKnown(Type type) => type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Known<>);

    public static object With(object record, PropertyInfo property, object value)
    {
        object copy = record.GetType().GetMethod(Clone)!.Invoke(record, null)!;
        property.SetValue(copy, value);
        return copy;
    }

    public static Array WithItem(IEnumerable list, int index, object item)
    {
        object[] items = [.. list.Cast<object>()];
        items[index] = item;
        Array copy = Array.CreateInstance(item.GetType(), items.Length);
        items.CopyTo(copy, 0);
        return copy;
    }

    /// <summary>Null for a gap.</summary>
    public static object? ValueOf(object known)
        => (bool)known.GetType().GetProperty(nameof(Known<int>.HasValue))!.GetValue(known)! ? known.GetType().GetProperty(nameof(Known<int>.Value))!.GetValue(known) : null;

    public static object Unknown(Type known, Gap gap) => known.GetMethod(nameof(Known<int>.Unknown))!.Invoke(null, [gap])!;

    public static object Of(object known, object value)
        => known.GetType().GetMethod(nameof(Known<int>.Of))!.Invoke(null, [value, known.GetType().GetProperty(nameof(Known<int>.Trust))!.GetValue(known)])!;
}
