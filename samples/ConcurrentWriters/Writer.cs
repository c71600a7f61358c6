namespace ConcurrentWriters;

internal sealed class Writer
{
    private readonly Document _document = new();
    private readonly Thread _thread;

    public Writer(string name, Dictionary<Document, string> index)
        => _thread = new Thread(() => index[_document] = name) { Name = name, IsBackground = true };

    /// <summary>The thread is in the index, which asks for the document's hash code.</summary>
    public bool IsInside => _document.IsBeingHashed;

    public void Start() => _thread.Start();

    public void Join() => _thread.Join();
}
