using HangTriage.Capture.Managed.Code;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>All instructions of the program, and what of it is under way.</summary>
/// <param name="Graph">Every call.</param>
/// <param name="Search">Who can come to a method.</param>
/// <param name="Flows">The suspended async methods.</param>
/// <param name="Delegates">The methods of delegates, each with the type of the delegate.</param>
internal sealed record ProgramCode(
    CallGraph Graph, BringerSearch Search, SuspendedFlows Flows, IReadOnlyList<(string Method, string? Type)> Delegates);
