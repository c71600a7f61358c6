using System.Globalization;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Lab.Tools;

/// <summary>Every managed frame of a dump.</summary>
internal static class DumpFrames
{
    public static void Print(string dump, string dac, TextWriter output)
    {
        using DataTarget target = DataTarget.LoadDump(dump);
        using ClrRuntime runtime = target.ClrVersions[0].CreateRuntime(dac, ignoreMismatch: false);
        foreach (ClrThread thread in runtime.Threads)
        {
            foreach (ClrStackFrame frame in thread.EnumerateStackTrace())
            {
                if (frame.Kind == ClrStackFrameKind.ManagedMethod)
                {
                    output.WriteLine(string.Create(
                        CultureInfo.InvariantCulture,
                        $"{thread.OSThreadId:x}\t{frame.InstructionPointer:x}\t{frame.StackPointer:x}\t{frame.Method?.Signature ?? "?"}"));
                }
            }
        }
    }
}
