using HangTriage.Facts;

namespace HangTriage.Capture.Managed;

/// <summary>A thread as the runtime knows it.</summary>
/// <param name="ManagedId">Thread.ManagedThreadId.</param>
/// <param name="Name">Thread.Name; empty where the program gave none.</param>
/// <param name="Stack">The managed frames, and the runtime's markers between them; native frames are left out.</param>
public sealed record ManagedThread(int ManagedId, Known<string> Name, StackFacts Stack);
