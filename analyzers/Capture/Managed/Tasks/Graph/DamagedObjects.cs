using System.Globalization;
using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>Objects that could not be read: each costs itself, not what is beside it.</summary>
internal sealed class DamagedObjects
{
    private readonly HashSet<ulong> _addresses = [];
    private Gap? _first;

    /// <summary>What was passed over; null where nothing was.</summary>
    public Gap? Gap
        => _first is null ? null
            : new Gap(string.Create(CultureInfo.InvariantCulture, $"{_addresses.Count} objects that tasks lead to, the first at 0x{_addresses.First():x}"), _first.Why) { IsLoss = true };

    /// <summary>Reads what belongs to the object.</summary>
    public void Guard(ulong address, Action read)
    {
        try
        {
            read();
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            if (_addresses.Add(address))
            {
                _first ??= Attempt.Failed("object", e);
            }
        }
    }

    /// <summary>The object has no type that could be read.</summary>
    public void Note(ulong address)
    {
        if (_addresses.Add(address))
        {
            _first ??= new Gap("object", "it has no type: its memory is damaged or not in the input");
        }
    }

    /// <summary>The items up to one that cannot be read.</summary>
    public IEnumerable<T> Items<T>(ulong address, IEnumerable<T> items)
    {
        List<T> read = [];
        Guard(address, () =>
        {
            foreach (T item in items)
            {
                read.Add(item);
            }
        });
        return read;
    }
}
