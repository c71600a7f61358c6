using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Collections;

/// <summary>How a hash table was found.</summary>
/// <param name="Buckets">Their number.</param>
/// <param name="Capacity">Entries that it has room for.</param>
/// <param name="EntrySize">Bytes of one.</param>
/// <param name="Faults">What is wrong with it.</param>
internal sealed record TableState(int Buckets, int Capacity, int EntrySize, IReadOnlyList<CollectionFault> Faults);
