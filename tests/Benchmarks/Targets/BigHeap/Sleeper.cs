namespace BigHeap;

/// <summary>A thread that waits 8 to 30 calls deep, with a dictionary at hand; every hundredth works on its own one.</summary>
internal sealed class Sleeper
{
    private const int Shallowest = 8;
    private const int Depths = 23;
    private const int Workers = 100;
    private const int StackSize = 256 << 10;

    private static readonly ManualResetEvent s_never = new(initialState: false);

    private readonly int _number;
    private readonly Dictionary<string, int> _names;
    private readonly Thread _thread;
    private volatile bool _goes;

    public Sleeper(int number, Dictionary<string, int> names)
    {
        _number = number;
        _names = names;
        _thread = new Thread(() => Descend(Shallowest + (number % Depths)), StackSize) { Name = $"sleeper {number}", IsBackground = true };
        _thread.Start();
    }

    public bool IsThere => _goes && (_number % Workers == 0 || _thread.ThreadState.HasFlag(ThreadState.WaitSleepJoin));

    private int Descend(int depth) => depth > 0 ? Descend(depth - 1) + 1 : Wait();

    private int Wait()
    {
        _goes = true;
        switch (_number % Workers)
        {
            case 0:
                Work();
                break;
            case < 40:
                s_never.WaitOne();
                break;
            case < 60:
                Thread.Sleep(Timeout.Infinite);
                break;
            default:
                lock (_names)
                {
                    Monitor.Wait(_names);
                }

                break;
        }

        return 0;
    }

    private void Work()
    {
        while (true)
        {
            _names["one more"] = _number;
            _names.Remove("one more");
        }
    }
}
