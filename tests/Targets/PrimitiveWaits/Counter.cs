namespace PrimitiveWaits;

/// <summary>Guards itself with a SpinLock that keeps its owner.</summary>
internal sealed class Counter
{
    private SpinLock _guard = new(enableThreadOwnerTracking: true);

    public void Enter()
    {
        bool taken = false;
        _guard.Enter(ref taken);
    }
}
