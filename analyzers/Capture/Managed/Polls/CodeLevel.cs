using HangTriage.Capture.Managed.Code;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>A method of the program that a thread or an async method is in.</summary>
/// <param name="Module">Its module.</param>
/// <param name="Method">Its token.</param>
/// <param name="Place">The place in its instructions from where it continues; null where that is not known.</param>
internal readonly record struct CodeLevel(IlModule Module, int Method, int? Place);
