namespace HangTriage.Capture.Managed.Heap;

/// <summary>Is shown words of memory by <see cref="WordRange"/>.</summary>
internal interface IWordVisitor
{
    /// <summary>Looks at a word; false ends it.</summary>
    /// <param name="word">The word.</param>
    /// <param name="at">Which one of the memory it is.</param>
    bool Visit(ulong word, int at);
}
