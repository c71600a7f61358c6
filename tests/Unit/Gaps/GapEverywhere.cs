using System.Collections;
using System.Reflection;
using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Gaps;

/// <summary>Puts one gap into every place of a path at once, as a source that never records such a fact does.</summary>
internal sealed class GapEverywhere(string path, Gap gap)
{
    /// <summary>Of a case, the sample that is judged.</summary>
    public static Case Put(Case @case, string path, Gap gap)
        => Case.Of([.. @case.Samples.SkipLast(1), (ProcessSnapshot)new GapEverywhere(path, gap).In(@case.Last, string.Empty)]).WithTraceOf(@case);

    private object In(object record, string at)
    {
        foreach (PropertyInfo property in Records.PropertiesOf(record.GetType()))
        {
            if (property.GetValue(record) is { } value && Changed(property, value, at + property.Name) is { } changed)
            {
                record = Records.With(record, property, changed);
            }
        }

        return record;
    }

    /// <summary>Null where it stays as it is.</summary>
    private object? Changed(PropertyInfo property, object value, string at)
    {
        bool isKnown = Records.IsKnown(property.PropertyType);
        return isKnown && at == path ? Records.Unknown(property.PropertyType, gap)
            : !path.StartsWith(at + ".", StringComparison.Ordinal) ? null
            : !isKnown ? InValue(value, at)
            : Records.ValueOf(value) is { } known ? Records.Of(value, InValue(known, at))
            : null;
    }

    private object InValue(object value, string at)
    {
        if (Records.IsRecord(value.GetType()))
        {
            return In(value, at + ".");
        }

        IEnumerable list = (IEnumerable)value;
        int count = list.Cast<object>().Count();
        for (int index = 0; index < count; index++)
        {
            list = Records.WithItem(list, index, In(list.Cast<object>().ElementAt(index), at + "."));
        }

        return list;
    }
}
