namespace HangTriage.Capture.Windows;

/// <summary>Addresses from <paramref name="Start"/> up to, not including, <paramref name="End"/>.</summary>
public readonly record struct AddressRange(ulong Start, ulong End)
{
    public bool Contains(ulong address) => address >= Start && address < End;
}
