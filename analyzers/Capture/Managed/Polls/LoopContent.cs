using HangTriage.Capture.Managed.Code;
using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>What a loop looks at, and what it calls, as far as it was followed.</summary>
internal sealed class LoopContent
{
    private const int MostNames = 16;

    private readonly List<IlMember> _fields = [];
    private readonly List<string> _calls = [];

    /// <summary>The fields that it reads, those that only count its rounds left out.</summary>
    public IReadOnlyList<IlMember> Fields => _fields;

    /// <summary>The calls whose answer is not known.</summary>
    public IReadOnlyList<string> Calls => _calls;

    public PollTraits Traits { get; set; }

    /// <summary>It lets time pass, or tries to take something that it has to wait for.</summary>
    public bool Pauses { get; set; }

    public bool Counts { get; set; }

    public bool Compares { get; set; }

    /// <summary>It carries a value from round to round that is more than a count.</summary>
    public bool Computes { get; set; }

    public void Add(IlMember field)
    {
        if (_fields.Count < MostNames && !_fields.Contains(field))
        {
            _fields.Add(field);
        }
    }

    /// <summary>What it reads of these is no matter of others.</summary>
    public void Remove(HashSet<IlMember> fields) => _fields.RemoveAll(fields.Contains);

    public void AddCall(string method)
    {
        if (_calls.Count < MostNames && !_calls.Contains(method))
        {
            _calls.Add(method);
        }
    }
}
