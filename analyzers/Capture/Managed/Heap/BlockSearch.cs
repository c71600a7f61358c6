using System.Buffers;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>
/// Finds words in the memory of the heap, block by block. Where the target can be read by several threads at once, the next blocks are
/// searched while those before are worked on.
/// </summary>
internal sealed class BlockSearch(IDataReader reader, PointerMap pointers, CaptureContext context)
{
    private const int BlocksAtOnce = 128;

    private readonly bool _isParallel = reader is IParallelReader { IsParallel: true };
    private volatile bool _isIncomplete;

    /// <summary>Some memory was not in the input.</summary>
    public bool IsIncomplete => _isIncomplete;

    /// <summary>The words with their addresses, in the order of addresses.</summary>
    /// <param name="range">Where objects stand.</param>
    /// <param name="words">The words.</param>
    /// <param name="search">The same, as the map of pointers is asked for them.</param>
    public IEnumerable<(ulong At, ulong Word)> Find(MemoryRange range, WordSearch words, PointerSearch search)
    {
        Task<List<(ulong At, ulong Word)>[]>? next = null;
        try
        {
            using IEnumerator<ulong[]> batches = Blocks(range, search).Chunk(BlocksAtOnce).GetEnumerator();
            next = Start(batches, range, words);
            while (next is not null)
            {
                context.Step();
                List<(ulong At, ulong Word)>[] found = next.GetAwaiter().GetResult();
                next = Start(batches, range, words);
                foreach ((ulong At, ulong Word) hit in found.SelectMany(hits => hits))
                {
                    yield return hit;
                }
            }
        }
        finally
        {
            // Whoever leaves early must not find the target read behind the back of others.
            next?.ContinueWith(static _ => { }, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default).Wait(CancellationToken.None);
        }
    }

    private IEnumerable<ulong> Blocks(MemoryRange range, PointerSearch search)
    {
        for (ulong at = range.Start; at < range.End; at += PointerMap.BlockSize)
        {
            if (pointers.MayPoint(range.Start, at, search))
            {
                yield return at;
            }
        }
    }

    private Task<List<(ulong At, ulong Word)>[]>? Start(IEnumerator<ulong[]> batches, MemoryRange range, WordSearch words)
        => !batches.MoveNext() ? null
            : batches.Current is var blocks && _isParallel ? Task.Run(() => Search(blocks, range, words), context.Cancellation)
            : Task.FromResult(Search(blocks, range, words));

    private List<(ulong At, ulong Word)>[] Search(ulong[] blocks, MemoryRange range, WordSearch words)
    {
        List<(ulong At, ulong Word)>[] found = new List<(ulong At, ulong Word)>[blocks.Length];
        if (_isParallel)
        {
            Parallel.For(0, blocks.Length, new ParallelOptions { CancellationToken = context.Cancellation }, index => found[index] = Search(blocks[index], range, words));
        }
        else
        {
            for (int index = 0; index < blocks.Length; index++)
            {
                found[index] = Search(blocks[index], range, words);
            }
        }

        return found;
    }

    private List<(ulong At, ulong Word)> Search(ulong block, MemoryRange range, WordSearch words)
    {
        int size = (int)Math.Min(PointerMap.BlockSize, range.End - block);
        byte[] buffer = ArrayPool<byte>.Shared.Rent(size);
        try
        {
            Span<byte> memory = buffer.AsSpan(0, reader.Read(block, buffer.AsSpan(0, size)));
            if (memory.Length == size)
            {
                pointers.Note(range.Start, block, memory);
            }
            else
            {
                _isIncomplete = true;
            }

            List<(ulong At, ulong Word)> hits = [];
            words.Find(memory, block, hits);
            return hits;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}
