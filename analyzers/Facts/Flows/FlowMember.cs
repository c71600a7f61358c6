namespace HangTriage.Facts;

/// <summary>One suspended async method of a group.</summary>
/// <param name="Flow">Its box.</param>
/// <param name="Awaits">The object that its awaiter holds; null for none.</param>
public readonly record struct FlowMember(Address Flow, Address? Awaits);
