using System.Buffers.Binary;
using HangTriage.Capture.Files;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Minidump;

/// <summary>
/// What a dump says of the object behind a handle. The format names the kinds (MINIDUMP_HANDLE_OBJECT_INFORMATION_TYPE
/// of minidumpapiset.h) and leaves their bytes open; they are what the kernel answers to NtQueryMutant and its like, in
/// the width of the dump's writer, which the size tells. Nothing but their sizes confirms that: it is assumed.
/// </summary>
internal static class MinidumpHandleInformation
{
    private const int HeadSize = 12;
    private const int LongestChain = 16;
    private const int LargestBody = 64;

    private enum Kind
    {
        Thread = 1,
        Mutant1 = 2,
        Mutant2 = 3,
        Process1 = 4,
        Process2 = 5,
        Event = 6,
        Semaphore = 8,
    }

    /// <param name="handle">The handle without its information.</param>
    /// <param name="file">The dump.</param>
    /// <param name="rva">Where the chain begins; 0 where there is none.</param>
    public static HandleFacts AddTo(HandleFacts handle, MappedFile file, uint rva)
    {
        Span<byte> head = stackalloc byte[HeadSize];
        Span<byte> buffer = stackalloc byte[LargestBody];
        for (int i = 0; i < LongestChain && rva != 0 && file.TryRead(rva, head); i++)
        {
            uint size = BinaryPrimitives.ReadUInt32LittleEndian(head[8..]);
            Span<byte> body = buffer[..(int)Math.Min(size, LargestBody)];
            if (file.TryRead((ulong)rva + HeadSize, body))
            {
                handle = Add(handle, (Kind)BinaryPrimitives.ReadUInt32LittleEndian(head[4..]), body);
            }

            rva = BinaryPrimitives.ReadUInt32LittleEndian(head);
        }

        return handle;
    }

    private static HandleFacts Add(HandleFacts handle, Kind kind, ReadOnlySpan<byte> body) => (kind, body.Length) switch
    {
        (Kind.Thread, >= 48) => WithThread(handle, U64(body, 0x10), U64(body, 0x18)), // THREAD_BASIC_INFORMATION
        (Kind.Thread, >= 28) => WithThread(handle, U32(body, 0x08), U32(body, 0x0C)),
        (Kind.Mutant1, >= 8) => handle with { IsSignaled = Assumed((int)U32(body, 0) > 0) }, // MUTANT_BASIC_INFORMATION
        (Kind.Mutant2, >= 16) => WithOwner(handle, U64(body, 0), U64(body, 8)), // MUTANT_OWNER_INFORMATION
        (Kind.Mutant2, >= 8) => WithOwner(handle, U32(body, 0), U32(body, 4)),
        (Kind.Process2, >= 64) => WithProcess(handle, U64(body, 0x28)), // PROCESS_EXTENDED_BASIC_INFORMATION
        (Kind.Process2, >= 32 and < 48) => WithProcess(handle, U32(body, 0x14)),
        (Kind.Process1, >= 48) => WithProcess(handle, U64(body, 0x20)), // PROCESS_BASIC_INFORMATION
        (Kind.Process1, >= 24 and < 48) => WithProcess(handle, U32(body, 0x10)),
        (Kind.Event, >= 8) => handle with { IsSignaled = Assumed(U32(body, 4) != 0) }, // EVENT_BASIC_INFORMATION
        (Kind.Semaphore, >= 8) => handle with { IsSignaled = Assumed((int)U32(body, 0) > 0) }, // SEMAPHORE_BASIC_INFORMATION
        _ => handle,
    };

    private static HandleFacts WithThread(HandleFacts handle, ulong process, ulong thread)
        => IsId(process) && IsId(thread)
            ? handle with { TargetProcess = Assumed((uint)process), TargetThread = Assumed(new ThreadId((uint)thread)) }
            : handle;

    private static HandleFacts WithProcess(HandleFacts handle, ulong process)
        => IsId(process) ? handle with { TargetProcess = Assumed((uint)process) } : handle;

    private static HandleFacts WithOwner(HandleFacts handle, ulong process, ulong thread)
        => thread == 0 ? handle with { Owner = Known.Unknown<ThreadId>("owner", "nobody holds the mutex") }
            : IsId(process) && IsId(thread)
                ? handle with { Owner = Assumed(new ThreadId((uint)thread)), TargetProcess = Assumed((uint)process) }
                : handle with { Owner = Known.Unknown<ThreadId>("owner", $"0x{thread:x} is no thread id") };

    // Ids of Windows are multiples of four.
    private static bool IsId(ulong id) => id is > 0 and <= int.MaxValue && id % 4 == 0;

    private static Known<T> Assumed<T>(T value)
        where T : notnull
        => Known<T>.Of(value, Trust.Assumed);

    private static ulong U64(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt64LittleEndian(bytes[at..]);

    private static uint U32(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt32LittleEndian(bytes[at..]);
}
