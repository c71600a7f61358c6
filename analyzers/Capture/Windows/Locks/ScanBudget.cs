namespace HangTriage.Capture.Windows.Locks;

/// <summary>
/// Bounds what guessing costs in a whole process: a dump can name any number of threads whose stacks and chains of wait
/// blocks are one and the same.
/// </summary>
internal sealed class ScanBudget
{
    private int _left = 16 << 20;

    /// <summary>Takes up to so many steps, and says how many there were.</summary>
    public int Take(int wanted)
    {
        int taken = Math.Min(wanted, _left);
        _left -= taken;
        return taken;
    }
}
