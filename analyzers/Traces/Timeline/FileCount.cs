namespace HangTriage.Traces.Timeline;

/// <summary>Reads and writes of one file, or of all.</summary>
internal sealed class FileCount
{
    public long Reads { get; private set; }

    public long ReadBytes { get; private set; }

    public long Writes { get; private set; }

    public long WrittenBytes { get; private set; }

    public void Add(uint bytes, bool isWrite)
    {
        Reads += isWrite ? 0 : 1;
        ReadBytes += isWrite ? 0 : bytes;
        Writes += isWrite ? 1 : 0;
        WrittenBytes += isWrite ? bytes : 0;
    }

    public void Add(FileCount other)
    {
        Reads += other.Reads;
        ReadBytes += other.ReadBytes;
        Writes += other.Writes;
        WrittenBytes += other.WrittenBytes;
    }
}
