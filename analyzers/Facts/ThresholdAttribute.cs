namespace HangTriage.Facts;

/// <summary>Says of a number that decides what it counts and why it is that number and no other.</summary>
/// <param name="unit">What it counts: "threads", "of the thread's life".</param>
/// <param name="reason">Why it is that number.</param>
[AttributeUsage(AttributeTargets.Field)]
public sealed class ThresholdAttribute(string unit, string reason) : Attribute
{
    public string Unit => unit;

    public string Reason => reason;
}
