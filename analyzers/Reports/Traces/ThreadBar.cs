using HangTriage.Facts;

namespace HangTriage.Reports.Traces;

/// <summary>A thread of a timeline.</summary>
/// <param name="Name">Its id, its name and, where several processes are shown, its process.</param>
/// <param name="Thread">What it did.</param>
internal sealed record ThreadBar(string Name, TraceThread Thread);
