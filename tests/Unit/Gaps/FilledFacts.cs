using System.Reflection;
using System.Runtime.CompilerServices;
using HangTriage.Facts;

namespace HangTriage.Tests.Unit.Gaps;

/// <summary>A snapshot in which everything is there: no null, no gap, one item in each list. What it says makes no sense.</summary>
internal static class FilledFacts
{
    public static ProcessSnapshot Snapshot() => (ProcessSnapshot)Of(typeof(ProcessSnapshot));

    private static object Of(Type type)
    {
        Type plain = Nullable.GetUnderlyingType(type) ?? type;
        return plain == typeof(string) ? "text"
            : plain.IsValueType ? Activator.CreateInstance(plain)!
            : Records.IsKnown(plain) ? plain.GetMethod(nameof(Known<int>.Of))!.Invoke(null, [Of(plain.GetGenericArguments()[0]), Trust.Read])!
            : plain.IsGenericType ? ListOf(plain.GetGenericArguments()[0])
            : RecordOf(plain);
    }

    private static Array ListOf(Type item)
    {
        Array list = Array.CreateInstance(item, item == typeof(Gap) ? 0 : 1);
        if (list.Length > 0)
        {
            list.SetValue(Of(item), 0);
        }

        return list;
    }

    private static object RecordOf(Type type)
    {
        object record = RuntimeHelpers.GetUninitializedObject(type);
        foreach (PropertyInfo property in Records.PropertiesOf(type).Where(property => property.PropertyType != typeof(Gap)))
        {
            property.SetValue(record, Of(property.PropertyType));
        }

        return record;
    }
}
