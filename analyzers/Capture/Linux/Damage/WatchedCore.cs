using System.Runtime.InteropServices;
using HangTriage.Capture.Managed.Reading;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux.Damage;

/// <summary>Shows a core as it is, and notes what is asked of it and is lost.</summary>
internal sealed class WatchedCore(IDataReader core, CoreNotes notes, CoreLosses losses) : CoreLayer(core), IWatchedReader, ITypeGuessReader
{
    // More is asked for at once only to save reads: who needs the rest asks again.
    private const int LargestThatIsNeeded = 4096;

    private readonly ZeroedSegments _zeroed = new(core, notes.Memory);

    public IDataReader Unwatched => Target;

    public bool IsOptional { get; set; }

    public bool GuessesTypes { get; set; }

    public override bool GetThreadContext(uint threadID, uint contextFlags, Span<byte> context)
    {
        bool isKnown = base.GetThreadContext(threadID, contextFlags, context);
        if (isKnown && Architecture == Architecture.X64 && !HasStandIn(threadID))
        {
            notes.OtherRegisters.GetValueOrDefault(threadID)?.AddTo(context);
        }

        return isKnown;
    }

    public override int Read(ulong address, Span<byte> buffer)
    {
        // Two frames can begin at one address: between them is nothing, and nothing of it is lost.
        if (buffer.IsEmpty)
        {
            return 0;
        }

        int read = ReadAll(address, buffer);
        if (read == 0 || (read < buffer.Length && buffer.Length <= LargestThatIsNeeded))
        {
            NoteMissing(unchecked(address + (uint)read));
        }

        if (_zeroed.FirstIn(address, buffer[..read]) is ulong zeroed)
        {
            losses.NoteZeroed(zeroed);
        }

        return GuessesTypes && TypeGuesses.IsBrokenTable(buffer[..read], Target) ? 0 : read;
    }

    // The reader below may end at a segment's end, where the next one starts.
    private int ReadAll(ulong address, Span<byte> buffer)
    {
        int read = 0;
        int more;
        do
        {
            more = Target.Read(unchecked(address + (uint)read), buffer[read..]);
            read += more;
        }
        while (more > 0 && read < buffer.Length);
        return read;
    }

    public void NoteUnused(ulong address)
    {
        if (notes.Memory.Find(address) is { } segment)
        {
            _zeroed.Allow(segment);
            losses.ForgiveZeros(segment);
        }
    }

    public void NoteMissing(ulong address) => losses.NoteMissing(address, IsOptional);
}
