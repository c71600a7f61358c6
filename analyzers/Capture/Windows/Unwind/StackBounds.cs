namespace HangTriage.Capture.Windows.Unwind;

/// <summary>Where a thread's stack lies, as far as that is known.</summary>
/// <param name="Limit">The lowest address.</param>
/// <param name="Base">Behind the highest address; the stack grows down from here.</param>
/// <param name="IsBaseKnown">The thread itself says where its stack begins; else the range is merely what the dump holds of it.</param>
internal readonly record struct StackBounds(ulong Limit, ulong Base, bool IsBaseKnown)
{
    /// <summary>A stack of which nothing is known.</summary>
    public static StackBounds Unknown => new(0, ulong.MaxValue, false);

    public bool Contains(ulong address) => address >= Limit && address < Base;
}
