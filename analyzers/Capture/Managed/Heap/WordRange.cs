using System.Numerics;
using System.Runtime.Intrinsics;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>The words between two addresses, picked out of memory about as fast as that is read: most words are no such pointers.</summary>
internal static class WordRange
{
    /// <summary>Shows each word from the least one on to the visitor, in order, until that has enough.</summary>
    /// <param name="words">The memory.</param>
    /// <param name="least">The least of the words.</param>
    /// <param name="span">How far the greatest lies above it.</param>
    /// <param name="visitor">Is shown them.</param>
    public static void Visit<TVisitor>(ReadOnlySpan<ulong> words, ulong least, ulong span, ref TVisitor visitor)
        where TVisitor : struct, IWordVisitor
    {
        int i = 0;
        if (Vector256.IsHardwareAccelerated)
        {
            Vector256<ulong> from = Vector256.Create(least);
            Vector256<ulong> most = Vector256.Create(span);
            for (; i <= words.Length - Vector256<ulong>.Count; i += Vector256<ulong>.Count)
            {
                uint inside = Vector256.LessThanOrEqual(Vector256.Create(words[i..]) - from, most).ExtractMostSignificantBits();
                for (; inside != 0; inside &= inside - 1)
                {
                    int at = i + BitOperations.TrailingZeroCount(inside);
                    if (!visitor.Visit(words[at], at))
                    {
                        return;
                    }
                }
            }
        }

        for (; i < words.Length; i++)
        {
            if (words[i] - least <= span && !visitor.Visit(words[i], i))
            {
                return;
            }
        }
    }
}
