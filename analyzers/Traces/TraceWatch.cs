namespace HangTriage.Traces;

/// <summary>Hears of the progress of a library that a hostile file can make loop forever.</summary>
/// <param name="Begin">Called before it is at work.</param>
/// <param name="Step">Called at each sign that it makes progress.</param>
/// <param name="End">Called behind it.</param>
public sealed record TraceWatch(Action Begin, Action Step, Action End);
