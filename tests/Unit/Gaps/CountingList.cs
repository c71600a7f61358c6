using System.Collections;

namespace HangTriage.Tests.Unit.Gaps;

/// <summary>A list that counts how many of its items were looked at.</summary>
internal sealed class CountingList<T>(IReadOnlyList<T> items) : IReadOnlyList<T>
{
    public int Visits { get; private set; }

    public int Count => items.Count;

    public T this[int index]
    {
        get
        {
            Visits++;
            return items[index];
        }
    }

    public IEnumerator<T> GetEnumerator()
    {
        for (int index = 0; index < items.Count; index++)
        {
            yield return this[index];
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
