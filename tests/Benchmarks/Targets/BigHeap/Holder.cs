namespace BigHeap;

/// <summary>A dictionary, and the objects that lie between it and the next one: about 42 in all, of 7.5 KB.</summary>
internal sealed class Holder
{
    private const int Entries = 9;
    private const int Nodes = 18;
    private const int ShortestBuffer = 128;

    private readonly Node _nodes;
    private readonly object[] _buffers = new object[Entries + 1];

    public Holder(int number)
    {
        for (int i = 0; i < Entries; i++)
        {
            string name = $"name {number}, {i}";
            Names.Add(name, i);
            _buffers[i] = new byte[ShortestBuffer + (((number * 31) + (i * 257)) % 1024)];
        }

        // Some entries are free, as in dictionaries that live.
        Names.Remove($"name {number}, 4");
        _nodes = new Node(null, number);
        for (int i = 1; i < Nodes; i++)
        {
            _nodes = new Node(_nodes, i);
        }

        _buffers[Entries] = _nodes;
    }

    public Dictionary<string, int> Names { get; } = [];
}
