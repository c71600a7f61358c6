using System.Globalization;

namespace LostSpinLock;

internal sealed class PriceTable
{
    private readonly SpinGate _gate = new();
    private readonly List<int> _prices = [];

    public int Rounds => _gate.Rounds;

    /// <summary>Fails inside, and does not come to its Exit.</summary>
    public void Load()
    {
        try
        {
            _gate.Enter();
            _prices.Add(int.Parse("n/a", CultureInfo.InvariantCulture));
            _gate.Exit();
        }
        catch (FormatException e)
        {
            Console.WriteLine(e.Message);
        }
    }

    public void Add()
    {
        _gate.Enter();
        _prices.Add(1);
        _gate.Exit();
    }
}
