using System.Reflection;
using System.Text.Json.Serialization;
using HangTriage.Facts;

namespace HangTriage.Tests.Unit.Facts;

public sealed class FactsJsonTypesTests
{
    [Fact]
    public void Whatever_can_be_known_or_unknown_can_be_written()
    {
        JsonSerializerContext context = (JsonSerializerContext)typeof(Case).Assembly.GetType("HangTriage.Facts.FactsJsonContext", throwOnError: true)!.GetProperty("Default")!.GetValue(null)!;
        Type[] values = [.. Below(typeof(Case), []).Where(IsKnown).Select(known => known.GetGenericArguments()[0]).Distinct()];

        Assert.Contains(typeof(IReadOnlyList<WaitFacts>), values);
        Assert.All(values, value => Assert.NotNull(context.GetTypeInfo(value)));
    }

    // Every type that a property leads to.
    private static HashSet<Type> Below(Type type, HashSet<Type> seen)
    {
        if (seen.Add(type))
        {
            foreach (Type part in type.GetGenericArguments())
            {
                Below(part, seen);
            }

            foreach (PropertyInfo property in type.Assembly == typeof(Case).Assembly ? type.GetProperties() : [])
            {
                Below(property.PropertyType, seen);
            }
        }

        return seen;
    }

    private static bool IsKnown(Type type) => type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Known<>);
}
