using HangTriage.Facts;

namespace HangTriage.Tests.Support.Facts;

/// <summary>Writes the hash tables of a process that never ran, and the threads in them.</summary>
public sealed class TableBuilder
{
    private readonly Dictionary<ulong, CollectionFacts> _tables = [];
    private int _errors;

    public bool IsEmpty => _tables.Count == 0 && _errors == 0;

    public void Add(ulong address, string type, CollectionFaultKind? fault, Trust trust = Trust.Read)
        => _tables.Add(address, new CollectionFacts
        {
            Address = new Address(address),
            Type = type,
            Trust = trust,
            Entries = 20,
            Buckets = 37,
            Faults = fault is { } kind ? [new CollectionFault { Kind = kind, Places = 1, Bucket = 7, Entry = 7, Next = 7 }] : [],
            Uses = [],
            Holder = Known.Unknown<string>("field that refers to the collection", "not looked for"),
        });

    public void Use(ulong address, uint thread, bool isInside, bool writes = false, bool isBlocked = false, string? method = null, Trust trust = Trust.Derived)
    {
        CollectionFacts table = _tables[address];
        _tables[address] = table with
        {
            Uses =
            [
                .. table.Uses,
                new CollectionUse
                {
                    Thread = new ThreadId(thread),
                    IsInside = isInside,
                    Writes = writes,
                    IsBlocked = isBlocked,
                    HasConcurrentUseError = false,
                    Method = method,
                    Trust = trust,
                },
            ],
        };
    }

    public void Errors(int count) => _errors = count;

    public CollectionsFacts Build() => new()
    {
        WholeHeap = true,
        Checked = _tables.Count,
        Noteworthy = [.. _tables.Values],
        ConcurrentUseErrors = _errors,
        Gaps = [],
    };
}
