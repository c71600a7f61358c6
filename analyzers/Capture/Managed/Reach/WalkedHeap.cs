using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Capture.Managed.Tasks;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>What the walk over the heap has found for those who ask who can end a wait.</summary>
/// <param name="Flows">The async methods; null where they are not known.</param>
/// <param name="Users">Who can still come to which instructions of the program; null where that is not known.</param>
/// <param name="Faults">The async methods that have failed; null where nobody looked.</param>
internal sealed record WalkedHeap(FlowInventory? Flows, Func<ProgramUsers?> Users, FaultVisitor? Faults);
