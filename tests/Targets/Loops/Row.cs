namespace Loops;

internal sealed class Row
{
    public int Amount { get; init; }

    public Row? Next { get; set; }

    /// <summary>The last leads to nothing, or to the second.</summary>
    public static Row Chain(int count, bool isCircle)
    {
        Row last = new() { Amount = count };
        Row first = last;
        for (int number = 1; number < count; number++)
        {
            first = new Row { Amount = number, Next = first };
        }

        last.Next = isCircle ? first.Next : null;
        return first;
    }
}
