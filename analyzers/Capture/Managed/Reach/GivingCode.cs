namespace HangTriage.Capture.Managed.Reach;

/// <summary>The code that ends a wait, where nothing else does.</summary>
/// <param name="Methods">The methods of the program with such a call.</param>
/// <param name="By">The threads, async methods and delegates that can come to them.</param>
internal sealed record GivingCode(IReadOnlyCollection<string> Methods, IReadOnlyCollection<ulong> By);
