namespace HangTriage.Capture.Targets;

/// <summary>
/// What a reader of tar reads: the bytes that were looked at first, then the rest, and no more than is allowed. The length of its
/// headers is the archive's own claim, too.
/// </summary>
/// <param name="head">The archive's first bytes.</param>
/// <param name="rest">What follows them.</param>
internal sealed class TarSource(ReadOnlyMemory<byte> head, Stream rest) : Stream
{
    private const long HeaderBytes = 1 << 20;

    private ReadOnlyMemory<byte> _head = head;
    private long _allowed;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    /// <summary>A header may be read, and that much of content.</summary>
    public void Allow(long content) => _allowed = content + HeaderBytes;

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    /// <exception cref="InvalidDataException">More is read than is allowed.</exception>
    public override int Read(Span<byte> buffer)
    {
        int read = Math.Min(buffer.Length, _head.Length);
        if (read > 0)
        {
            _head.Span[..read].CopyTo(buffer);
            _head = _head[read..];
        }
        else
        {
            read = rest.Read(buffer);
        }

        _allowed -= read;
        return _allowed >= 0 ? read : throw new InvalidDataException("a header of the archive is longer than one can be");
    }

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
