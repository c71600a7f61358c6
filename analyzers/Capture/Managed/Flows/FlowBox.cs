namespace HangTriage.Capture.Managed.Flows;

/// <summary>The box of an async method that has begun and not ended, as the walk over the heap found it.</summary>
/// <param name="Address">Of the box.</param>
/// <param name="Method">The method; null until the state machine is read, where that is an object of its own.</param>
/// <param name="Machine">The state machine where it is an object of its own, else 0.</param>
/// <param name="State">0 and more: suspended at that await. -1 runs.</param>
/// <param name="Awaited">What the awaiter holds; 0 where nothing.</param>
/// <param name="Continuation">What continues when the method ends; 0 for nothing.</param>
internal readonly record struct FlowBox(ulong Address, FlowMethod? Method, ulong Machine, int State, ulong Awaited, ulong Continuation);
