namespace HangTriage.Tests.Support.Losses;

/// <summary>A copy of a dump, of which one part at a time is lost.</summary>
public sealed class LossyCopy : IDisposable
{
    private const int ChunkSize = 1 << 20;

    private readonly FileStream _original;

    /// <param name="original">The dump; it is only read.</param>
    /// <param name="copy">Where the copy goes.</param>
    public LossyCopy(string original, string copy)
    {
        File.Copy(original, copy, overwrite: true);
        _original = File.OpenRead(original);
        FilePath = copy;
    }

    public string FilePath { get; }

    /// <summary>The part is lost until the result is disposed of.</summary>
    public IDisposable Lose(Loss loss)
    {
        Write(loss, Stream.Null);
        return new Restored(this, loss);
    }

    public void Dispose()
    {
        _original.Dispose();
        File.Delete(FilePath);
    }

    private void Write(Loss loss, Stream source)
    {
        using FileStream copy = new(FilePath, FileMode.Open, FileAccess.Write);
        copy.Position = loss.At;
        if (source == Stream.Null && !loss.Bytes.IsEmpty)
        {
            copy.Write(loss.Bytes.Span);
            return;
        }

        byte[] chunk = new byte[Math.Min(loss.Size, ChunkSize)];
        for (long left = loss.Size; left > 0; left -= Math.Min(left, chunk.Length))
        {
            Span<byte> part = chunk.AsSpan(0, (int)Math.Min(left, chunk.Length));
            source.ReadAtLeast(part, part.Length, throwOnEndOfStream: source != Stream.Null);
            copy.Write(part);
        }
    }

    private sealed class Restored(LossyCopy copy, Loss loss) : IDisposable
    {
        public void Dispose()
        {
            copy._original.Position = loss.At;
            copy.Write(loss, copy._original);
        }
    }
}
