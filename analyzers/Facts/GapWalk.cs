using System.Collections;
using System.Collections.Concurrent;
using System.Reflection;

namespace HangTriage.Facts;

/// <summary>
/// Finds every gap in facts by walking them: whatever the records hold is found, without a list that somebody has to keep.
/// Types that can hold no gap, frames above all, are not entered.
/// </summary>
public static class GapWalk
{
    private static readonly ConcurrentDictionary<Type, PropertyInfo[]> s_properties = new();
    private static readonly ConcurrentDictionary<Type, bool> s_known = new();

    /// <summary>Every gap below a record, in the order of its properties; the same gap as often as it stands there.</summary>
    public static IEnumerable<Gap> Of(object? root) => root switch
    {
        null or string => [],
        Gap gap => [gap],
        IKnown { Gap: { } gap } => [gap],
        IKnown known => CanHold(known) ? Of(known.ValueOrDefault) : [],
        IEnumerable items => items.Cast<object?>().SelectMany(Of),
        _ => PropertiesOf(root.GetType()).SelectMany(property => Of(property.GetValue(root))),
    };

    private static PropertyInfo[] PropertiesOf(Type type)
        => s_properties.GetOrAdd(type, static owner => [.. Readable(owner).Where(property => CanHold(property.PropertyType, []))]);

    private static bool CanHold(IKnown known) => s_known.GetOrAdd(known.GetType(), static type => CanHold(type.GetGenericArguments()[0], []));

    private static IEnumerable<PropertyInfo> Readable(Type type)
        => type.GetProperties(BindingFlags.Public | BindingFlags.Instance).Where(property => property.CanRead && property.GetIndexParameters().Length == 0);

    private static bool CanHold(Type type, HashSet<Type> seen)
        => type == typeof(Gap)
            || IsKnown(type)
            || (ElementOf(type) is { } element ? CanHold(element, seen)
                : type.Assembly == typeof(Gap).Assembly && seen.Add(type) && Readable(type).Any(property => CanHold(property.PropertyType, seen)));

    private static bool IsKnown(Type type) => type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Known<>);

    private static Type? ElementOf(Type type)
        => type.IsGenericType && type.GetGenericTypeDefinition() == typeof(IReadOnlyList<>) ? type.GetGenericArguments()[0] : null;
}
