using System.Collections;
using System.Reflection;
using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Claims;

namespace HangTriage.Tests.Unit.Gaps;

/// <summary>
/// Finds where a gap can stand in the facts of a case: each path once, and each place in the facts of the verdict's parties.
/// What does not exist in the case (a null) stays away.
/// </summary>
internal sealed class GapPlaces
{
    private readonly List<GapPlace> _found = [];
    private readonly HashSet<string> _paths = [];
    private readonly HashSet<object> _parties;

    private GapPlaces(HashSet<object> parties) => _parties = parties;

    public static IReadOnlyList<GapPlace> Of(Case @case, Verdict verdict)
    {
        GapPlaces places = new(PartiesOf(verdict));
        for (int index = 0; index < @case.Samples.Count; index++)
        {
            int at = index;
            ProcessSnapshot sample = @case.Samples[at];
            places.Enter(
                sample,
                sample == @case.Last ? string.Empty : "Earlier.",
                isParty: false,
                changed => Case.Of([.. @case.Samples.Take(at), (ProcessSnapshot)changed, .. @case.Samples.Skip(at + 1)]).WithTraceOf(@case));
        }

        return places._found;
    }

    private static HashSet<object> PartiesOf(Verdict verdict)
        =>
        [
            .. verdict.Chain.SelectMany(link => new[] { link.From, link.To }).Concat(verdict.Victims).Concat(new[] { verdict.Culprit }.OfType<Party>())
                .SelectMany(party => new object?[] { party.Thread, party.Lock, party.Task })
                .OfType<object>(),
        ];

    private void Enter(object record, string path, bool isParty, Func<object, Case> rebuild)
    {
        bool concerns = isParty || (Identity(record) is { } id && _parties.Contains(id));
        foreach (PropertyInfo property in Records.PropertiesOf(record.GetType()))
        {
            if (property.GetValue(record) is not { } value)
            {
                continue;
            }

            string inner = path + property.Name;
            if (!Records.IsKnown(property.PropertyType))
            {
                EnterValue(value, inner, concerns, changed => rebuild(Records.With(record, property, changed)));
                continue;
            }

            if (_paths.Add(inner) || concerns)
            {
                _found.Add(new GapPlace(inner, gap => rebuild(Records.With(record, property, Records.Unknown(property.PropertyType, gap)))));
            }

            if (Records.ValueOf(value) is { } known)
            {
                EnterValue(known, inner, concerns, changed => rebuild(Records.With(record, property, Records.Of(value, changed))));
            }
        }
    }

    private void EnterValue(object value, string path, bool isParty, Func<object, Case> rebuild)
    {
        if (Records.IsRecord(value.GetType()))
        {
            Enter(value, path + ".", isParty, rebuild);
        }
        else if (value is IEnumerable list and not string)
        {
            int index = 0;
            foreach (object item in list)
            {
                int at = index++;
                if (Records.IsRecord(item.GetType()) && item is not FrameFacts)
                {
                    Enter(item, path + ".", isParty, changed => rebuild(Records.WithItem(list, at, changed)));
                }
            }
        }
    }

    private static object? Identity(object record) => record switch
    {
        ThreadFacts thread => thread.OsId,
        LockFacts @lock => @lock.Id,
        WaitFacts wait => wait.Thread,
        TaskWaitFacts wait => wait.Thread,
        TaskFacts task => task.Address,
        _ => null,
    };
}
