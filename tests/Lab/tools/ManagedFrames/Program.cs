// ManagedFrames DUMP DAC: what .NET itself says of each thread's stack, a line a frame, tab separated, numbers
// hexadecimal: thread id, instruction, stack pointer, name or ?. Markers of the runtime have no instruction of their own.
using System.Globalization;
using Microsoft.Diagnostics.Runtime;

if (args is not [string dump, string dac])
{
    Console.Error.WriteLine("usage: ManagedFrames DUMP DAC");
    return 64;
}

using DataTarget target = DataTarget.LoadDump(dump);
using ClrRuntime runtime = target.ClrVersions[0].CreateRuntime(dac, ignoreMismatch: false);
foreach (ClrThread thread in runtime.Threads)
{
    foreach (ClrStackFrame frame in thread.EnumerateStackTrace())
    {
        if (frame.Kind == ClrStackFrameKind.ManagedMethod)
        {
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{thread.OSThreadId:x}\t{frame.InstructionPointer:x}\t{frame.StackPointer:x}\t{frame.Method?.Signature ?? "?"}"));
        }
    }
}

return 0;
