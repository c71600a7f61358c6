using System.Buffers.Binary;

namespace HangTriage.Capture.Windows.Minidump;

/// <summary>
/// MINIDUMP_THREAD (48 bytes), which MINIDUMP_THREAD_EX (64 bytes) extends: what is needed of it.
/// </summary>
/// <param name="Id">The thread's id.</param>
/// <param name="SuspendCount">How often it has been suspended.</param>
/// <param name="Teb">The thread environment block; 0 where the writer did not say.</param>
/// <param name="StackStart">The lowest address of the stack memory in the dump.</param>
/// <param name="Stack">Where that memory lies in the file.</param>
/// <param name="Context">Where the CONTEXT record lies in the file.</param>
internal readonly record struct MinidumpThread(
    uint Id, uint SuspendCount, ulong Teb, ulong StackStart, MinidumpStream Stack, MinidumpStream Context)
{
    public const int Size = 48;
    public const int ExtendedSize = 64;

    public static MinidumpThread Parse(ReadOnlySpan<byte> record) => new(
        BinaryPrimitives.ReadUInt32LittleEndian(record),
        BinaryPrimitives.ReadUInt32LittleEndian(record[4..]),
        BinaryPrimitives.ReadUInt64LittleEndian(record[16..]),
        BinaryPrimitives.ReadUInt64LittleEndian(record[24..]),
        Location(record[32..]),
        Location(record[40..]));

    private static MinidumpStream Location(ReadOnlySpan<byte> descriptor) => new(
        BinaryPrimitives.ReadUInt32LittleEndian(descriptor[4..]), BinaryPrimitives.ReadUInt32LittleEndian(descriptor));
}
