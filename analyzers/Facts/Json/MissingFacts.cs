using System.Collections;
using System.Collections.Concurrent;
using System.Reflection;
using System.Text.Json;

namespace HangTriage.Facts;

/// <summary>
/// Finds a null in a place that the records promise to fill: a facts file is input that anybody can have written. What they promise is
/// what their properties are declared as, so no record has to be listed here.
/// </summary>
internal static class MissingFacts
{
    private static readonly ConcurrentDictionary<Type, IReadOnlyList<Place>> s_places = new();

    /// <summary>Where the first one is, as a path in the file; null where there is none.</summary>
    public static string? FirstIn(object facts) => InRecord(facts) is { } below ? "$" + below : null;

    private static string? InRecord(object record)
    {
        foreach (Place place in s_places.GetOrAdd(record.GetType(), static type => [.. Place.ThatCanMiss(type, [])]))
        {
            if (At(place.Property.GetValue(record), place.Promise) is { } below)
            {
                return $".{JsonNamingPolicy.CamelCase.ConvertName(place.Property.Name)}{below}";
            }
        }

        return null;
    }

    /// <summary>Empty where the value itself is missing.</summary>
    private static string? At(object? value, Promise promise) => value switch
    {
        null => promise.IsMade ? string.Empty : null,
        string => null,
        IKnown { Gap: not null } => null,
        IKnown known => promise.Inner is { } inner && At(known.ValueOrDefault, inner) is { } below ? ".value" + below : null,
        IEnumerable items => promise.Inner is { CanMiss: true } item ? InList(items, item) : null,
        _ => InRecord(value),
    };

    private static string? InList(IEnumerable items, Promise promise)
    {
        int index = 0;
        foreach (object? item in items)
        {
            if (At(item, promise) is { } below)
            {
                return $"[{index}]{below}";
            }

            index++;
        }

        return null;
    }

    /// <param name="Property">A part of a record.</param>
    /// <param name="Promise">What it is declared as.</param>
    private sealed record Place(PropertyInfo Property, Promise Promise)
    {
        /// <summary>What can be set; the rest is worked out of it.</summary>
        public static IEnumerable<Place> ThatCanMiss(Type type, HashSet<Type> seen)
        {
            NullabilityInfoContext context = new();
            return type.GetProperties(BindingFlags.Public | BindingFlags.Instance)
                .Where(property => property is { CanRead: true, CanWrite: true })
                .Select(property => new Place(property, Promise.Of(context.Create(property), seen)))
                .Where(place => place.Promise.CanMiss);
        }
    }

    /// <param name="IsMade">Null breaks it.</param>
    /// <param name="CanMiss">A null there, or in what it leads to, breaks a promise.</param>
    /// <param name="Inner">That of a list's items or of a known value.</param>
    private sealed record Promise(bool IsMade, bool CanMiss, Promise? Inner)
    {
        public static Promise Of(NullabilityInfo declared, HashSet<Type> seen)
        {
            Promise? inner = declared.ElementType is { } element ? Of(element, seen)
                : declared.GenericTypeArguments is [{ } argument, ..] ? Of(argument, seen)
                : null;
            bool isMade = declared.ReadState == NullabilityState.NotNull && !declared.Type.IsValueType;
            return new Promise(isMade, isMade || inner?.CanMiss == true || Leads(declared.Type, seen), inner);
        }

        private static bool Leads(Type type, HashSet<Type> seen)
            => type.Assembly == typeof(MissingFacts).Assembly && !seen.Contains(type) && Place.ThatCanMiss(type, [.. seen, type]).Any();
    }
}
