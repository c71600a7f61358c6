namespace HangTriage.Facts;

/// <summary>
/// The innermost loop of machine code around the place where a frame is: from the target of a branch that leads
/// backward up to that branch, where the code between can go round.
/// </summary>
/// <param name="Start">The first instruction of the loop.</param>
/// <param name="End">Behind the branch that leads back.</param>
/// <param name="InstructionCount">How many instructions lie between, whether one round passes all of them or not.</param>
/// <param name="HasPause">One of them is <c>pause</c>, which compilers emit only where code is written to wait.</param>
/// <param name="FrameIndex">The frame of the thread's stack that the loop is around, from 0.</param>
public sealed record LoopFacts(Address Start, Address End, int InstructionCount, bool HasPause, int FrameIndex);
