namespace HangTriage.Tests.Support.States;

/// <summary>A monitor that is held.</summary>
/// <param name="Type">Of its object.</param>
/// <param name="Owner">The system's id of the thread that holds it; 0 where that has ended.</param>
/// <param name="Waiters">How many threads wait for it.</param>
public sealed record StateLock(string Type, uint Owner, int Waiters);
