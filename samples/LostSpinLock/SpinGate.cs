namespace LostSpinLock;

/// <summary>A spin lock of the program's own making: it keeps no owner.</summary>
internal sealed class SpinGate
{
    private int _taken;
    private int _rounds;

    public int Rounds => Volatile.Read(ref _rounds);

    public void Enter()
    {
        while (Interlocked.CompareExchange(ref _taken, 1, 0) != 0)
        {
            Interlocked.Increment(ref _rounds);
            Thread.Sleep(1);
        }
    }

    public void Exit() => Volatile.Write(ref _taken, 0);
}
