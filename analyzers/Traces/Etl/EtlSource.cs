using Microsoft.Win32.SafeHandles;

namespace HangTriage.Traces.Etl;

/// <summary>The bytes of an .etl file, at any place.</summary>
internal sealed class EtlSource(SafeFileHandle file)
{
    public long Length { get; } = RandomAccess.GetLength(file);

    /// <summary>Fills the target, or as much of it as the file has.</summary>
    /// <exception cref="TraceOpenException">The file cannot be read.</exception>
    public int Read(long offset, Span<byte> target)
    {
        try
        {
            int total = 0;
            while (total < target.Length)
            {
                int read = RandomAccess.Read(file, target[total..], offset + total);
                if (read == 0)
                {
                    break;
                }

                total += read;
            }

            return total;
        }
        catch (IOException e)
        {
            throw new TraceOpenException($"the file cannot be read at offset {offset} (error 0x{e.HResult:x8})", e);
        }
    }
}
