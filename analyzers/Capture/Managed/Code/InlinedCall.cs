using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Code;

/// <summary>A method that was compiled into the one that called it, and that has no frame for that.</summary>
/// <param name="Method">Its name, with its type's.</param>
/// <param name="Module">The module that has it.</param>
/// <param name="Token">Its token there.</param>
/// <param name="At">Where in its IL it calls the next.</param>
internal sealed record InlinedCall(string Method, ClrModule Module, int Token, int At);
