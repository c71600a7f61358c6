using HangTriage.Capture.Managed.Heap;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Outside;

/// <summary>Gathers the writers that have something in their buffer, and the sockets behind them.</summary>
/// <remarks>
/// dotnet/runtime: StreamWriter.cs (_charPos, _stream), BufferedStream.cs (_writePos, _stream), SslStream.cs and AuthenticatedStream.cs
/// (_innerStream); the same in .NET 8 to 10.
/// </remarks>
internal sealed class WriterVisitor : IHeapVisitor
{
    private const string Text = "System.IO.StreamWriter";
    private const string Bytes = "System.IO.BufferedStream";
    private const int Most = 10_000;
    private const int MostFound = 256;
    private const int MostStreams = 4;

    private readonly List<ulong> _found = [];

    public bool Wants(ClrType type) => type.Name is Text or Bytes;

    public void Visit(HeapObject found)
    {
        if (_found.Count < Most)
        {
            _found.Add(found.Address);
        }
    }

    /// <summary>Those over a socket whose buffer is not empty; at most some.</summary>
    public IReadOnlyList<UnsentFacts> Read(ClrHeap heap)
        => [.. _found.Select(address => Read(heap.GetObject(address))).OfType<UnsentFacts>().Take(MostFound)];

    private static UnsentFacts? Read(ClrObject writer)
        => writer.Number(writer.Type!.Name == Text ? "_charPos" : "_writePos") is > 0 and var count
            && !writer.IsTrue("_disposed")
            && SocketBehind(writer) is { IsNull: false } socket
            && socket.Number("_disposed") is null or 0
                ? new UnsentFacts(new Address(socket.Address), writer.Type.Name!, count)
                : null;

    private static ClrObject SocketBehind(ClrObject writer)
    {
        ClrObject stream = writer.Reference("_stream");
        for (int hop = 0; hop < MostStreams && !stream.IsNull; hop++)
        {
            if (SocketReader.In(stream) is { IsNull: false } socket)
            {
                return socket;
            }

            stream = stream.Reference("_stream", "_innerStream");
        }

        return default;
    }
}
