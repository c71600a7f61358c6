using System.Runtime.CompilerServices;

namespace HangTriage.Capture.Windows.Unwind;

/// <summary>The sixteen integer registers of x64 by their number in machine code.</summary>
[InlineArray(16)]
internal struct RegisterFile
{
    private ulong _first;
}
