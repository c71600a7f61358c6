namespace DictionarySelfLoop;

/// <summary>A thread that looks for an order, and takes the failure for one that passes.</summary>
internal sealed class Lookup
{
    private readonly Thread _thread;
    private volatile int _failures;

    public Lookup(string name, Dictionary<int, string> orders, int number)
        => _thread = new Thread(() => Run(orders, number)) { Name = name, IsBackground = true };

    public int Failures => _failures;

    public void Start() => _thread.Start();

    public void Join() => _thread.Join();

    private void Run(Dictionary<int, string> orders, int number)
    {
        while (true)
        {
            try
            {
                if (!orders.ContainsKey(number))
                {
                    return;
                }
            }
            catch (InvalidOperationException)
            {
                _failures++;
            }
        }
    }
}
